package io.meshhost.machine.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** read(2), write(2) and close(2), of whatever descriptor the other calls have given. */
final class Descriptors {
    private final MethodHandle read;
    private final MethodHandle write;
    private final MethodHandle close;

    Descriptors() {
        Linker linker = Linker.nativeLinker();
        FunctionDescriptor bytes = FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
        read = Libc.handle(linker, "read", bytes);
        write = Libc.handle(linker, "write", bytes);
        close = Libc.handle(linker, "close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    }

    /** How many bytes came; negative: an error, also that none is there yet. */
    long read(int descriptor, MemorySegment into) {
        return Libc.call(() -> (long) read.invokeExact(descriptor, into, into.byteSize()));
    }

    /** How many bytes went out; negative: an error. */
    long write(int descriptor, MemorySegment from) {
        return Libc.call(() -> (long) write.invokeExact(descriptor, from, from.byteSize()));
    }

    void close(int descriptor) {
        int _ = Libc.call(() -> (int) close.invokeExact(descriptor));
    }
}
