package io.meshhost.machine.linux;

import java.util.OptionalInt;

/** A child process of ours. Its number is its own until its end was asked for. Not thread-safe: one loop asks. */
public final class Child implements AutoCloseable {
    private final Children children;
    private final int pid;
    private final int descriptor;
    private OptionalInt status = OptionalInt.empty();

    Child(Children children, int pid, int descriptor) {
        this.children = children;
        this.pid = pid;
        this.descriptor = descriptor;
    }

    public int pid() {
        return pid;
    }

    /** For {@link Sleeper#sleep}; negative once its end is known. */
    public int descriptor() {
        return status.isPresent() ? -1 : descriptor;
    }

    /** Its status as a shell counts it, 128 + n for a signal; empty: it runs. */
    public OptionalInt ended() {
        if (status.isEmpty()) {
            status = children.ended(pid);
        }
        return status;
    }

    /** Gives back what was needed to see its end; apart from {@link #ended}, after which its successor waits for a start. */
    @Override
    public void close() {
        children.close(descriptor);
    }

    /** Kills it and waits until it has ended. */
    public void end() {
        if (status.isEmpty()) {
            status = OptionalInt.of(children.end(pid));
        }
    }

    /**
     * kill(2); nothing once its end is known, since its number may be another's then.
     *
     * @param number as signal(7) has it
     */
    public void signal(int number) {
        if (status.isEmpty()) {
            children.kill(pid, number);
        }
    }
}
