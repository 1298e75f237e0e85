/**
 * The control socket: status and health for people and programs, and the client that the commands use.
 *
 * <p>It may use {@code apply} and the rooms below it, never {@code cli}.
 */
@NullMarked
package io.meshhost.control;

import org.jspecify.annotations.NullMarked;
