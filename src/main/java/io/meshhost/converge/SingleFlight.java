package io.meshhost.converge;

import io.smallrye.mutiny.TimeoutException;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A gate that lets one pass of work through at a time, and exactly one more if it was marked meanwhile, however often.
 *
 * <pre>
 *            mark                        mark
 *   idle ───────────► running ────────────────► running and dirty ──┐ mark
 *     ▲                 │  ▲                            │   ▲───────┘
 *     └─── pass ends ───┘  └──────── pass ends ─────────┘
 * </pre>
 *
 * <p>The lock closes the race between a mark and the end of a pass: a mark is either taken by a pass
 * that begins after it, or starts one; it is never lost and never served by a pass that had begun
 * before. Nothing is called while the lock is held. A pass that fails, or does not end within the
 * time-out, ends like any other, so that one bad pass cannot close the gate for ever.
 *
 * @param <M> what a mark carries: why it was made, and who waits for it
 */
public final class SingleFlight<M> {
    private final Function<List<M>, Uni<Void>> pass;
    private final Consumer<Throwable> failed;
    private final Duration timeout;
    private final Executor hop;

    private List<M> marks = new ArrayList<>();
    private boolean running;
    private boolean waiting;
    private boolean closed;
    private long begun;
    private long generation;

    /**
     * @param pass a deferred Uni: subscribed once a pass, given all marks made since the pass before began
     * @param failed told what a pass failed with; a pass that runs out of time fails with {@link TimeoutException}
     * @param hop each pass begins on it, so that passes that end at once do not pile up on one stack
     */
    public SingleFlight(Function<List<M>, Uni<Void>> pass, Consumer<Throwable> failed, Duration timeout, Executor hop) {
        this.pass = pass;
        this.failed = failed;
        this.timeout = timeout;
        this.hop = hop;
    }

    /**
     * Asks for a pass that begins after this call.
     *
     * @return the generation that serves the mark: it is served once {@link #generation} is that or more; -1
     *     when the gate is closed, nothing will come of it
     */
    public long mark(M mark) {
        long served;
        boolean start;
        synchronized (this) {
            if (closed) {
                return -1;
            }
            marks.add(mark);
            start = !running;
            if (start) {
                admit();
            }
            // A pass that is admitted but has not begun will take this mark too.
            served = waiting ? begun : begun + 1;
        }
        if (start) {
            hop.execute(this::begin);
        }
        return served;
    }

    /** Passes that have ended, whichever way. Wait for a level of it, never for an edge. */
    public synchronized long generation() {
        return generation;
    }

    public synchronized boolean running() {
        return running;
    }

    /** Takes no more marks; a pass in hand goes on, a follow-up does not begin. */
    public synchronized void close() {
        closed = true;
        marks = new ArrayList<>();
    }

    private void begin() {
        List<M> taken;
        synchronized (this) {
            taken = List.copyOf(marks);
            marks = new ArrayList<>();
            waiting = false;
        }
        Uni.createFrom()
                .deferred(() -> pass.apply(taken))
                .ifNoItem()
                .after(timeout)
                .fail()
                .subscribe()
                .with(done -> end(), this::endFailed);
    }

    private void endFailed(Throwable failure) {
        try {
            failed.accept(failure);
        } finally {
            end();
        }
    }

    private void end() {
        boolean again;
        synchronized (this) {
            generation++;
            again = !closed && !marks.isEmpty();
            running = again;
            if (again) {
                admit();
            }
        }
        if (again) {
            hop.execute(this::begin);
        }
    }

    /** Under the lock. */
    private void admit() {
        running = true;
        waiting = true;
        begun++;
    }
}
