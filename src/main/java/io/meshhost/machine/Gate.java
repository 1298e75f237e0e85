package io.meshhost.machine;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/** The one numbered door through which every operation of {@link Files} that changes the disk goes. */
final class Gate {
    private final Probe probe;
    private final AtomicLong count = new AtomicLong();

    Gate(Probe probe) {
        this.probe = probe;
    }

    /** Called before the operation; what the probe throws is the caller's to pass on untouched. */
    void pass(String operation, Path path) {
        probe.before(count.incrementAndGet(), operation, path);
    }
}
