/**
 * Keeping processes running: one interface, two implementations, systemd and the built-in
 * supervisor, and what both are made of (unit files, cron schedules).
 *
 * <p>Part of the room {@code machine}; it may use nothing above it.
 */
@NullMarked
package io.meshhost.machine.services;

import org.jspecify.annotations.NullMarked;
