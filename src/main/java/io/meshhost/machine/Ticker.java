package io.meshhost.machine;

import java.time.Duration;

/** Monotonic time: delays and time-outs that a changed wall clock cannot stretch or cut (QUARKUS.md 3). */
public interface Ticker {
    /** Nanoseconds of an arbitrary, monotonic origin. */
    long nanos();

    /** Runs the task once after the delay, on a thread of the ticker's; it must not block for long. */
    Cancellable after(Duration delay, Runnable task);

    /** A timer that has not fired yet. */
    interface Cancellable {
        /** Idempotent; a task already running is not stopped. */
        void cancel();
    }
}
