package io.meshhost.launch;

import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.linux.Child;
import io.meshhost.machine.linux.Sleeper;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * What comes in: from any thread by a queue, and the end of the child by itself. One thread takes, and sleeps in one place
 * for all of it.
 */
final class Inbox implements AutoCloseable {
    /** Twice what the start of a small program takes, in ns. */
    private static final long MOMENT = 2_000_000;

    private static final long PATIENCE = 20_000_000;

    private final ConcurrentLinkedQueue<Input> queue = new ConcurrentLinkedQueue<>();
    private final Sleeper sleeper;

    Inbox() {
        try {
            sleeper = new Sleeper();
        } catch (IOException e) {
            throw new MachineFailure("cannot wait for anything: " + e.getMessage(), e);
        }
    }

    void add(Input input) {
        queue.add(input);
        sleeper.wake();
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    /** What waits to be taken; null: nothing. */
    @Nullable
    Input poll() {
        return queue.poll();
    }

    /**
     * Waits. Null when nothing came in time, and now and then for no reason.
     *
     * @param nanos at most; empty: for ever
     * @param run the number of the child's run
     */
    @Nullable
    Input take(OptionalLong nanos, Optional<Child> child, long run) {
        boolean ended = sleeper.sleep(nanos, child.map(Child::descriptor).orElse(-1));
        Input queued = queue.poll();
        // First what came first: who was told to stop does not count an end that came of the same signal. The child
        // stays as it is.
        return queued == null && ended ? end(child, run) : queued;
    }

    private @Nullable Input end(Optional<Child> child, long run) {
        OptionalInt status = child.map(Child::ended).orElse(OptionalInt.empty());
        if (status.isPresent()) {
            return new Input.Of(run, new Event.Exited(status.getAsInt()));
        }
        // A debugger has it; until it lets go there is an end without a status.
        sleeper.sleep(OptionalLong.of(PATIENCE), -1);
        return queue.poll();
    }

    /** Whether there is nothing to take now. */
    boolean quiet(Optional<Child> child) {
        return queue.isEmpty()
                && !sleeper.sleep(
                        OptionalLong.of(0), child.map(Child::descriptor).orElse(-1));
    }

    /**
     * A moment for the child that was just started: the kernel wakes us on the processor where it is about to run, and all
     * that we have left to do would come before its first step. Ends when something comes in.
     */
    void giveWay(Optional<Child> child) {
        if (queue.isEmpty()) {
            sleeper.sleep(OptionalLong.of(MOMENT), child.map(Child::descriptor).orElse(-1));
        }
    }

    @Override
    public void close() {
        sleeper.close();
    }
}
