package io.meshhost.testing;

import io.meshhost.machine.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Time that moves when it is told to. */
public final class HandTicker implements Ticker {
    private record Timer(long at, Runnable task) {}

    private final List<Timer> timers = new ArrayList<>();
    private long now;

    @Override
    public synchronized long nanos() {
        return now;
    }

    @Override
    public synchronized Cancellable after(Duration delay, Runnable task) {
        Timer timer = new Timer(now + delay.toNanos(), task);
        timers.add(timer);
        return () -> remove(timer);
    }

    private synchronized void remove(Timer timer) {
        timers.remove(timer);
    }

    /** Runs what is due by then, in the caller's thread; what that starts waits for the next call. */
    public void advance(Duration by) {
        List<Timer> due;
        synchronized (this) {
            now += by.toNanos();
            due = timers.stream().filter(timer -> timer.at() <= now).toList();
            timers.removeAll(due);
        }
        due.forEach(timer -> timer.task().run());
    }

    /** How many timers wait. */
    public synchronized int waiting() {
        return timers.size();
    }
}
