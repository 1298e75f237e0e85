package io.meshhost.machine.services;

import io.meshhost.machine.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Time that a test moves: monotonic and wall clock together, the wall clock by itself when it is set. */
final class FakeTime implements Ticker, InstantSource {
    private final PriorityQueue<Entry> due = new PriorityQueue<>(Comparator.comparingLong(Entry::at));
    private long nanos;
    private Instant wall;

    FakeTime(Instant wall) {
        this.wall = wall;
    }

    private record Entry(long at, Runnable task) {}

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public Instant instant() {
        return wall;
    }

    @Override
    public Cancellable after(Duration delay, Runnable task) {
        Entry entry = new Entry(nanos + delay.toNanos(), task);
        due.add(entry);
        return () -> due.remove(entry);
    }

    /** Lets time pass, and each timer fire at its moment. */
    void pass(Duration time) {
        long end = nanos + time.toNanos();
        while (!due.isEmpty() && due.peek().at() <= end) {
            Entry entry = due.remove();
            move(entry.at());
            entry.task().run();
        }
        move(end);
    }

    /** Somebody sets the clock; no time passes. */
    void step(Instant to) {
        wall = to;
    }

    int timers() {
        return due.size();
    }

    private void move(long to) {
        wall = wall.plusNanos(to - nanos);
        nanos = to;
    }
}
