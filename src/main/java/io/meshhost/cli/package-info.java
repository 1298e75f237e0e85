/**
 * The commands, thin: parse, call one service, print. Exit codes are mapped here and nowhere else.
 *
 * <p>Nothing may use this room. Short commands start without Quarkus.
 */
@NullMarked
package io.meshhost.cli;

import org.jspecify.annotations.NullMarked;
