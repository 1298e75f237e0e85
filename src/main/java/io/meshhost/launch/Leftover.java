package io.meshhost.launch;

import io.meshhost.machine.services.ProcessTable;
import io.meshhost.machine.services.ProcessTable.Entry;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * The host of a supervisor that was killed. It would keep the machine beside the next one, so it is ended first: that very
 * process, by pid, start and boot, and never whoever has its number now.
 */
final class Leftover {
    private static final long LOOK = Duration.ofMillis(20).toNanos();

    private final ProcessTable processes;
    private final LongSupplier nanos;

    Leftover(ProcessTable processes, LongSupplier nanos) {
        this.processes = processes;
        this.nanos = nanos;
    }

    Optional<Entry> find(SupervisorStatus.Last last) {
        return last.child() > 1 && last.boot().equals(processes.bootId()) ? same(last) : Optional.empty();
    }

    private Optional<Entry> same(SupervisorStatus.Last last) {
        return processes.entry(last.child()).filter(entry -> !entry.dead() && entry.started() == last.started());
    }

    /**
     * TERM, then KILL after the limit; returns when it is gone. Waits also when the supervisor itself is told to stop: it
     * is what that host will be waited for with.
     *
     * @param alive called again and again while it waits
     */
    void end(SupervisorStatus.Last last, Duration limit, Runnable alive) {
        long start = nanos.getAsLong();
        boolean killed = false;
        Optional<Entry> entry = find(last);
        entry.ifPresent(found -> processes.signal(found, false));
        while (entry.isPresent()) {
            alive.run();
            if (!killed && nanos.getAsLong() - start > limit.toNanos()) {
                processes.signal(entry.get(), true);
                killed = true;
            }
            LockSupport.parkNanos(this, LOOK);
            entry = same(last);
        }
    }
}
