/**
 * The only room that touches the machine: files, commands, services, accounts, time.
 *
 * <p>It may use nothing of ours. Every other room reaches the disk, the clock, the environment and
 * other programs through here, so that a test can cut the power at each write and a reader who
 * asks "what can this daemon do to my machine" has one folder to read.
 */
@NullMarked
package io.meshhost.machine;

import org.jspecify.annotations.NullMarked;
