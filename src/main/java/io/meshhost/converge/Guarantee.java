package io.meshhost.converge;

import io.meshhost.machine.Ticker;
import java.time.Duration;
import java.util.Optional;

/**
 * Sees to it that the next pass begins within twice the cadence, by the monotonic clock: Quarkus's scheduler follows the
 * wall clock and falls silent when that is set back. The lock keeps one timer at most.
 */
final class Guarantee implements AutoCloseable {
    private final Ticker ticker;
    private final Duration within;
    private final Runnable mark;
    private Optional<Ticker.Cancellable> timer = Optional.empty();
    private boolean closed;

    Guarantee(Ticker ticker, Duration cadence, Runnable mark) {
        this.ticker = ticker;
        this.within = cadence.multipliedBy(2);
        this.mark = mark;
    }

    /** A pass begins now: the time runs anew. */
    synchronized void passBegins() {
        timer.ifPresent(Ticker.Cancellable::cancel);
        timer = closed ? Optional.empty() : Optional.of(ticker.after(within, mark));
    }

    @Override
    public synchronized void close() {
        closed = true;
        timer.ifPresent(Ticker.Cancellable::cancel);
        timer = Optional.empty();
    }
}
