package io.meshhost.machine.testing;

import io.meshhost.machine.Ticker;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;

/** Time that passes only when a test says so; timers fire on the thread that advances it, in their order. */
public final class FakeTicker implements Ticker {
    private final PriorityQueue<Timer> timers =
            new PriorityQueue<>(Comparator.comparingLong(Timer::at).thenComparingLong(Timer::number));
    private long now = 1_000_000_000_000L;
    private long made;

    @Override
    public synchronized long nanos() {
        return now;
    }

    @Override
    public synchronized Cancellable after(Duration delay, Runnable task) {
        Timer timer = new Timer(now + Math.max(0, delay.toNanos()), made++, task);
        timers.add(timer);
        return () -> cancel(timer);
    }

    /** Time passes; what a timer schedules within it fires too. */
    public void advance(Duration time) {
        long end = nanos() + time.toNanos();
        for (Optional<Timer> due = next(end); due.isPresent(); due = next(end)) {
            due.get().task().run();
        }
    }

    /** Timers that are neither fired nor cancelled. */
    public synchronized int pending() {
        return timers.size();
    }

    private synchronized void cancel(Timer timer) {
        timers.remove(timer);
    }

    /** The task is run outside the lock: it may come back for another timer. */
    private synchronized Optional<Timer> next(long end) {
        Timer first = timers.peek();
        if (first == null || first.at() > end) {
            now = Math.max(now, end);
            return Optional.empty();
        }
        timers.remove(first);
        now = Math.max(now, first.at());
        return Optional.of(first);
    }

    private record Timer(long at, long number, Runnable task) {}
}
