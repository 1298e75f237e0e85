package io.meshhost.converge;

import io.meshhost.machine.Ticker;
import io.quarkus.scheduler.Scheduled.ApplicationNotRunning;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.quarkus.scheduler.Scheduler;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * The scheduler bean of the reconcile: a tick only marks the gate. The cadence is the scheduler's, which follows the
 * wall clock; {@link Guarantee} stands behind it for the day when that clock is set back.
 */
@ApplicationScoped
public class Ticks {
    private static final String JOB = "reconcile";

    private final Scheduler scheduler;

    Ticks(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /**
     * Begins to tick, the first time after one cadence and its jitter.
     *
     * @param jitter gives numbers from 0 to 1: a fleet that booted together does not converge together
     */
    public void start(Duration cadence, DoubleSupplier jitter, Ticker ticker, Runnable mark) {
        scheduler
                .newJob(JOB)
                .setInterval(cadence.toSeconds() + "s")
                .setDelayed(cadence.toSeconds() + "s")
                .setConcurrentExecution(ConcurrentExecution.SKIP)
                .setSkipPredicate(ApplicationNotRunning.class)
                .setTask(execution -> ticker.after(spread(cadence, jitter.getAsDouble()), mark), true)
                .schedule();
        scheduler.resume();
    }

    /** Up to a tenth of the cadence. */
    static Duration spread(Duration cadence, double jitter) {
        return Duration.ofNanos((long) (cadence.toNanos() / 10.0 * jitter));
    }

    /** No more ticks; safe when never started. */
    public void stop() {
        if (scheduler.isRunning()) {
            scheduler.pause();
        }
        scheduler.unscheduleJob(JOB);
    }
}
