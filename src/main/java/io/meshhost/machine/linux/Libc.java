package io.meshhost.machine.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;

/**
 * A few functions of libc. Made at first use and kept in instance fields: a handle in a static final field would be made
 * while a native executable is built, and not work in it (NATIVE.md 8).
 */
final class Libc {
    /** socket(2), x86-64 and arm64 alike. */
    static final int AF_UNIX = 1;

    static final int SOCK_STREAM = 1;
    static final int SOCK_DGRAM = 2;
    static final int SOCK_CLOEXEC = 02000000;

    /** send(2): a reader that went away must be an error, not a SIGPIPE. */
    private static final int MSG_NOSIGNAL = 0x4000;

    /** unix(7): the length of sun_path. */
    private static final int PATH_BYTES = 108;

    private final MethodHandle socket;
    private final MethodHandle bind;
    private final MethodHandle sendto;
    private final Descriptors descriptors = new Descriptors();

    Libc() {
        Linker linker = Linker.nativeLinker();
        socket = handle(linker, "socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
        bind = handle(linker, "bind", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
        sendto = handle(
                linker,
                "sendto",
                FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT));
    }

    /** "Restricted" is what calling libc is; --enable-native-access allows it to us. */
    @SuppressWarnings("restricted")
    static MethodHandle handle(Linker linker, String name, FunctionDescriptor shape, Linker.Option... options) {
        return linker.downcallHandle(
                linker.defaultLookup()
                        .find(name)
                        .orElseThrow(() -> new UnsupportedOperationException(
                                "the C library has no " + name + "; glibc 2.34 or newer is needed")),
                shape,
                options);
    }

    /** A descriptor, or -1. */
    int socket(int type) {
        return call(() -> (int) socket.invokeExact(AF_UNIX, type | SOCK_CLOEXEC, 0));
    }

    /** Whether the name was free; an abstract one begins with a NUL, which {@code @} stands for. */
    boolean bind(int descriptor, String name) {
        try (Arena arena = Arena.ofConfined()) {
            Address to = address(arena, name);
            return call(() -> (int) bind.invokeExact(descriptor, to.bytes(), to.length())) == 0;
        }
    }

    /** Whether the whole message went out. */
    boolean send(int descriptor, String message, String name) {
        try (Arena arena = Arena.ofConfined()) {
            byte[] text = message.getBytes(StandardCharsets.UTF_8);
            MemorySegment bytes = arena.allocateFrom(ValueLayout.JAVA_BYTE, text);
            Address to = address(arena, name);
            long sent = call(() -> (long)
                    sendto.invokeExact(descriptor, bytes, (long) text.length, MSG_NOSIGNAL, to.bytes(), to.length()));
            return sent == text.length;
        }
    }

    void close(int descriptor) {
        descriptors.close(descriptor);
    }

    private record Address(MemorySegment bytes, int length) {}

    /** struct sockaddr_un: the family in two bytes, then the name. */
    private static Address address(Arena arena, String name) {
        byte[] path = name.getBytes(StandardCharsets.UTF_8);
        if (path.length == 0 || path.length >= PATH_BYTES) {
            throw new IllegalArgumentException("a socket's name has 1 to 107 bytes: " + name);
        }
        MemorySegment bytes = arena.allocate(2L + PATH_BYTES);
        bytes.set(ValueLayout.JAVA_SHORT, 0, (short) AF_UNIX);
        MemorySegment.copy(path, 0, bytes, ValueLayout.JAVA_BYTE, 2, path.length);
        boolean hidden = path[0] == '@';
        if (hidden) {
            bytes.set(ValueLayout.JAVA_BYTE, 2, (byte) 0);
        }
        // The length tells where an abstract name ends; a path ends with its NUL.
        return new Address(bytes, 2 + path.length + (hidden ? 0 : 1));
    }

    /** One call of a handle. */
    interface Call<T> {
        T go() throws Throwable;
    }

    /** A downcall throws nothing; the handle's signature says otherwise. */
    static <T> T call(Call<T> call) {
        try {
            return call.go();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("a call of libc threw", e);
        }
    }
}
