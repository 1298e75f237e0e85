package io.meshhost.apply.testing;

import io.meshhost.machine.Ticker;
import java.time.Duration;

/** Time that passes only when somebody waits for it. */
public final class BoxTicker implements Ticker {
    private long now;
    /** Called after each wait: a process may die, a host may be told to stop. */
    public Runnable meanwhile = () -> {};

    @Override
    public long nanos() {
        return now;
    }

    @Override
    public Cancellable after(Duration delay, Runnable task) {
        now += delay.toNanos();
        meanwhile.run();
        task.run();
        return () -> {};
    }

    public Duration passed() {
        return Duration.ofNanos(now);
    }
}
