package io.meshhost.machine.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/**
 * Whether something has changed since it was watched: inotify(7), which the kernel fills before the call that makes the
 * change returns. So a question is exact, and no thread has to listen.
 *
 * <p>Not thread-safe: one loop asks.
 */
public final class Changes implements AutoCloseable {
    private static final int IN_NONBLOCK = 04000;
    private static final int IN_CLOEXEC = 02000000;

    /** MODIFY, ATTRIB, MOVED_FROM, MOVED_TO, CREATE, DELETE, DELETE_SELF, MOVE_SELF. */
    private static final int EVERYTHING = 0x2 | 0x4 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400 | 0x800;

    /** Holds many events; one with the longest name takes 272 bytes. */
    private static final long QUEUE = 8192;

    private final Descriptors descriptors = new Descriptors();
    private final MethodHandle init;
    private final MethodHandle add;
    private final MemorySegment events = Arena.ofAuto().allocate(QUEUE);
    private int descriptor = -1;
    private boolean known;

    public Changes() {
        Linker linker = Linker.nativeLinker();
        init = Libc.handle(linker, "inotify_init1", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
        add = Libc.handle(linker, "inotify_add_watch", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    }

    /** Begins anew: what happened before is no change any more. What was watched stays so. */
    public void forget() {
        if (descriptor < 0) {
            descriptor = Libc.call(() -> (int) init.invokeExact(IN_NONBLOCK | IN_CLOEXEC));
        }
        known = descriptor >= 0;
        while (known && come()) {
            // Emptied; a new queue instead would be cleaner, but the kernel takes its time to close one.
        }
    }

    private boolean come() {
        return descriptors.read(descriptor, events) > 0;
    }

    /** Of a directory also what lies right in it. What cannot be watched counts as changed at every moment. */
    public void watch(Path path) {
        if (known) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment name = arena.allocateFrom(path.toString());
                known = Libc.call(() -> (int) add.invokeExact(descriptor, name, EVERYTHING)) >= 0;
            }
        }
    }

    /** Whether nothing has changed of all that is watched. Once something has, it is so until {@link #forget}. */
    public boolean none() {
        known = known && !come();
        return known;
    }

    @Override
    public void close() {
        if (descriptor >= 0) {
            descriptors.close(descriptor);
            descriptor = -1;
        }
        known = false;
    }
}
