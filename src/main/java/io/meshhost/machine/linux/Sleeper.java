package io.meshhost.machine.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.OptionalLong;

/**
 * Where one thread sleeps until a child ends, until somebody wakes it, or until a time has passed: ppoll(2) over an
 * eventfd(2) and a pidfd. The end of a child so reaches who waits for it without another thread in between.
 */
public final class Sleeper implements AutoCloseable {
    private static final int EFD_CLOEXEC = 02000000;
    private static final int EFD_NONBLOCK = 04000;
    private static final short POLLIN = 1;
    private static final long NANOS = 1_000_000_000L;

    /** struct pollfd: a descriptor, what is asked for, what came. */
    private static final long POLLFD = 8;

    private static final long REVENTS = 6;

    private final Descriptors descriptors = new Descriptors();
    private final MethodHandle ppoll;
    private final int bell;
    private final MemorySegment fds;
    private final MemorySegment time;
    private final MemorySegment one;
    private final MemorySegment rung;
    private boolean closed;

    /** @throws IOException when no descriptor is left */
    public Sleeper() throws IOException {
        Linker linker = Linker.nativeLinker();
        ppoll = Libc.handle(linker, "ppoll", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS));
        MethodHandle eventfd = Libc.handle(linker, "eventfd", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
        Arena arena = Arena.ofAuto();
        fds = arena.allocate(JAVA_LONG, 2);
        time = arena.allocate(JAVA_LONG, 2);
        rung = arena.allocate(JAVA_LONG);
        one = arena.allocateFrom(JAVA_LONG, 1);
        bell = Libc.call(() -> (int) eventfd.invokeExact(0, EFD_CLOEXEC | EFD_NONBLOCK));
        if (bell < 0) {
            throw new IOException("no eventfd(2) can be had");
        }
        ask(0, bell);
    }

    private void ask(int index, int descriptor) {
        fds.set(JAVA_INT, index * POLLFD, descriptor);
        fds.set(JAVA_SHORT, index * POLLFD + Integer.BYTES, POLLIN);
    }

    /** From any thread: the next sleep, or the present one, ends. */
    public synchronized void wake() {
        if (closed) {
            return;
        }
        long _ = descriptors.write(bell, one);
    }

    /**
     * Sleeps; may also end for no reason.
     *
     * @param nanos at most; empty: for ever
     * @param child by {@link Child#descriptor}; negative: none
     * @return whether the child has ended
     */
    public boolean sleep(OptionalLong nanos, int child) {
        ask(1, child);
        fds.set(JAVA_SHORT, POLLFD + REVENTS, (short) 0);
        MemorySegment most = nanos.isPresent() ? timeout(nanos.getAsLong()) : MemorySegment.NULL;
        int ready = Libc.call(() -> (int) ppoll.invokeExact(fds, 2L, most, MemorySegment.NULL));
        // A signal ended it, and the JDK's thread for signals says which.
        if (ready <= 0) {
            return false;
        }
        if (fds.get(JAVA_SHORT, REVENTS) != 0) {
            long _ = descriptors.read(bell, rung);
        }
        return fds.get(JAVA_SHORT, POLLFD + REVENTS) != 0;
    }

    private MemorySegment timeout(long nanos) {
        time.setAtIndex(JAVA_LONG, 0, Math.max(0, nanos) / NANOS);
        time.setAtIndex(JAVA_LONG, 1, Math.max(0, nanos) % NANOS);
        return time;
    }

    @Override
    public synchronized void close() {
        // Its number may be another's from now on.
        closed = true;
        descriptors.close(bell);
    }
}
