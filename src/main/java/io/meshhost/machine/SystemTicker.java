package io.meshhost.machine;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The kernel's monotonic clock, and one daemon thread on which timers fire in order. */
public final class SystemTicker implements Ticker, AutoCloseable {
    private static final Logger LOG = Logger.getLogger("io.meshhost.machine");

    private final ScheduledThreadPoolExecutor timers;

    public SystemTicker() {
        timers = new ScheduledThreadPoolExecutor(
                1, task -> Thread.ofPlatform().name("ticker").daemon().unstarted(task));
        // A cancelled timer of ten minutes would hold its task, and all that it refers to, for as long.
        timers.setRemoveOnCancelPolicy(true);
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public Cancellable after(Duration delay, Runnable task) {
        Future<?> timer = timers.schedule(() -> guarded(task), delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> timer.cancel(false);
    }

    /** Timers that have not fired never will. */
    @Override
    public void close() {
        timers.shutdownNow();
    }

    /** The executor would keep what a task throws to itself: a loop that died would only fall silent. */
    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            LOG.log(Level.SEVERE, "a timer's task failed", e);
            throw e;
        }
    }
}
