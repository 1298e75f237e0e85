package io.meshhost.machine.services;

import java.time.Duration;
import java.time.ZoneId;

/**
 * How patient the built-in supervisor is.
 *
 * @param restartDelay between the end of a daemon and its next start (RestartSec=)
 * @param stopTimeout what a process has after TERM before KILL comes (TimeoutStopSec=)
 * @param closeTimeout the same when the host itself stops: all of it must be over within 75 s (SPEC 5)
 * @param logCap bytes of one log file; one old file of that size is kept beside it
 * @param zone of schedules that name none
 */
public record BuiltinSettings(
        Duration restartDelay, Duration stopTimeout, Duration closeTimeout, long logCap, ZoneId zone) {

    /** What systemd would do: 5 s and 90 s; 20 s at the host's own end. */
    public static BuiltinSettings standard(ZoneId zone) {
        return new BuiltinSettings(
                Duration.ofSeconds(5), Duration.ofSeconds(90), Duration.ofSeconds(20), 1024 * 1024, zone);
    }
}
