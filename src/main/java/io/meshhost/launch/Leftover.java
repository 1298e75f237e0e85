package io.meshhost.launch;

import io.meshhost.machine.DirectoryLock;
import io.meshhost.machine.Looks;
import io.meshhost.machine.Variable;
import io.meshhost.machine.services.ProcessTable;
import io.meshhost.machine.services.ProcessTable.Entry;
import java.nio.file.Path;
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
        return last.child() > 1 && last.boot().equals(processes.bootId())
                ? processes.entry(last.child()).filter(entry -> !entry.dead() && entry.started() == last.started())
                : Optional.empty();
    }

    /**
     * The host that holds the lock of this state directory, when the supervisor of this socket started it: a supervisor that
     * was killed in the moment of a start, or on a full disk, has written no pid down. One that somebody runs at a terminal
     * was told of no socket, and is left.
     */
    Optional<Entry> holding(DirectoryLock host, Path socket) {
        String told = Variable.LAUNCHER.variable() + "=" + socket;
        return host.holder().stream()
                .boxed()
                .findFirst()
                .filter(pid -> Looks.environment(pid).contains(told))
                .flatMap(pid -> processes.entry(Math.toIntExact(pid)));
    }

    /**
     * Ends the host that an earlier supervisor left, if there is one.
     *
     * @param before what that supervisor wrote down
     * @param host the lock that a host holds
     * @param alive called again and again while it waits
     */
    void takeOver(Optional<SupervisorStatus.Last> before, DirectoryLock host, Means means, Runnable alive) {
        before.flatMap(this::find).or(() -> holding(host, means.socket())).ifPresent(left -> {
            means.say().accept("ending pid " + left.pid() + ", which an earlier supervisor left");
            end(left, means.limits().stop(), alive);
        });
    }

    private Optional<Entry> same(Entry before) {
        return processes.entry(before.pid()).filter(entry -> !entry.dead() && entry.started() == before.started());
    }

    /**
     * TERM, then KILL after the limit; returns when it is gone. Waits also when the supervisor itself is told to stop: it
     * is what that host will be waited for with.
     *
     * @param alive called again and again while it waits
     */
    void end(Entry host, Duration limit, Runnable alive) {
        long start = nanos.getAsLong();
        boolean killed = false;
        processes.signal(host, false);
        while (same(host).isPresent()) {
            alive.run();
            if (!killed && nanos.getAsLong() - start > limit.toNanos()) {
                processes.signal(host, true);
                killed = true;
            }
            LockSupport.parkNanos(this, LOOK);
        }
    }
}
