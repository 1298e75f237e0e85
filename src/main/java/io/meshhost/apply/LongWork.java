package io.meshhost.apply;

import io.meshhost.machine.ExpectedFailure;
import io.meshhost.machine.Progress;
import io.meshhost.machine.Ticker;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Work that may take long and has nothing to tell meanwhile. It gives signs of life for as long as it may take and no
 * longer: without them the supervisor would end the host in the middle of a step, and with endless ones it would never see
 * one that hangs.
 */
final class LongWork implements AutoCloseable {
    /** Less than the start time-out that an operator would set. */
    private static final Duration EVERY = Duration.ofSeconds(20);

    private final Ticker ticker;
    private final Progress progress;
    private final String what;
    private final long end;
    private volatile boolean over;
    private volatile Ticker.Cancellable next;

    private LongWork(Ticker ticker, Progress progress, String what, Duration limit) {
        this.ticker = ticker;
        this.progress = progress;
        this.what = what;
        this.end = ticker.nanos() + limit.toNanos();
        this.next = ticker.after(EVERY, this::beat);
    }

    /**
     * @param what short words, for the progress
     * @param limit after which the work should have ended by its own time-outs
     */
    static <T> T during(Work work, String what, Duration limit, Supplier<T> task) {
        return during(work.ticker(), work.progress(), what, limit, task);
    }

    @SuppressWarnings("try")
    static <T> T during(Ticker ticker, Progress progress, String what, Duration limit, Supplier<T> task) {
        try (LongWork signs = new LongWork(ticker, progress, what, limit)) {
            return task.get();
        }
    }

    private void beat() {
        if (over || ticker.nanos() - end > 0) {
            return;
        }
        try {
            progress.at(what, -1, -1);
        } catch (ExpectedFailure stopping) {
            // Whoever tells of progress is asked to stop by this; the work itself looks for that at its own pace.
            return;
        }
        next = ticker.after(EVERY, this::beat);
    }

    @Override
    public void close() {
        over = true;
        next.cancel();
    }
}
