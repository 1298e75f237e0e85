package io.meshhost.machine.services;

import io.meshhost.machine.MachineFailure;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** How often somebody may start one process: systemd-system.conf(5) DefaultStartLimitBurst=. Confined by its owner's lock. */
final class StartLimit {
    private static final int BURST = 5;
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final Deque<Long> starts = new ArrayDeque<>();

    /**
     * Counts a start, unless it is one too many.
     *
     * @param now by the monotonic clock
     */
    boolean admits(long now) {
        starts.removeIf(start -> now - start > INTERVAL.toNanos());
        if (starts.size() >= BURST) {
            return false;
        }
        starts.add(now);
        return true;
    }

    static MachineFailure exceeded(String unit) {
        return new MachineFailure("cannot start " + unit + ": it was started " + BURST + " times within "
                + INTERVAL.toSeconds() + " s; wait, then start it again");
    }
}
