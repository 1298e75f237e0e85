package io.meshhost.machine.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.OptionalInt;

/** What libc says of child processes. */
final class Children {
    private static final int P_PID = 1;
    private static final int WNOHANG = 1;
    private static final int WEXITED = 4;
    /** sigaction(2): the child ended by itself; otherwise a signal ended it. */
    private static final int CLD_EXITED = 1;

    /** The same number on every architecture; glibc has a function for it from 2.36 on only. */
    private static final long PIDFD_OPEN = 434;

    /** siginfo_t of 64-bit Linux. */
    private static final long SIGINFO_BYTES = 128;

    private static final long SI_CODE = 8;
    private static final long SI_PID = 16;
    private static final long SI_STATUS = 24;
    private static final int BY_SIGNAL = 128;
    private static final int KILL = 9;
    private static final int LONGEST_TEXT = 256;

    private final Descriptors descriptors = new Descriptors();
    private final MethodHandle waitid;
    private final MethodHandle kill;
    private final MethodHandle syscall;
    private final MethodHandle strerror;
    private final MemorySegment info = Arena.ofAuto().allocate(SIGINFO_BYTES);

    Children() {
        Linker linker = Linker.nativeLinker();
        waitid = Libc.handle(linker, "waitid", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
        kill = Libc.handle(linker, "kill", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
        syscall = Libc.handle(
                linker,
                "syscall",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
                Linker.Option.firstVariadicArg(1));
        strerror = Libc.handle(linker, "strerror", FunctionDescriptor.of(ADDRESS, JAVA_INT));
    }

    /** @throws IOException where no end of a child can be seen */
    void mustWatch() throws IOException {
        int descriptor = descriptor(Math.toIntExact(ProcessHandle.current().pid()));
        if (descriptor < 0) {
            throw new IOException("no pidfd_open(2) can be had; it needs Linux 5.3 or newer, and a free descriptor");
        }
        close(descriptor);
    }

    /** pidfd_open(2), Linux 5.3: a descriptor that can be read from once the child has ended; negative: there is none. */
    int descriptor(int pid) {
        return (int) (long) Libc.call(() -> (long) syscall.invokeExact(PIDFD_OPEN, (long) pid, 0L));
    }

    /** waitid(2): the status of a child that has ended, as a shell counts it; empty: it runs. Its pid is given back. */
    OptionalInt ended(int pid) {
        return wait(pid, WEXITED | WNOHANG);
    }

    /** Ends it, and waits until it has ended. */
    int end(int pid) {
        kill(pid, KILL);
        return wait(pid, WEXITED).orElse(BY_SIGNAL + KILL);
    }

    private OptionalInt wait(int pid, int options) {
        info.fill((byte) 0);
        int result = Libc.call(() -> (int) waitid.invokeExact(P_PID, pid, info, options));
        if (result != 0) {
            // Somebody else took it, so it has ended; how, nobody knows, and only what is known to be clean is clean.
            return OptionalInt.of(1);
        }
        int status = info.get(JAVA_INT, SI_STATUS);
        return info.get(JAVA_INT, SI_PID) == 0
                ? OptionalInt.empty()
                : OptionalInt.of(info.get(JAVA_INT, SI_CODE) == CLD_EXITED ? status : BY_SIGNAL + status);
    }

    void close(int descriptor) {
        descriptors.close(descriptor);
    }

    /** kill(2). */
    void kill(int pid, int signal) {
        int _ = Libc.call(() -> (int) kill.invokeExact(pid, signal));
    }

    /** strerror(3). */
    @SuppressWarnings("restricted") // The C library's text is as long as it is.
    String text(int error) {
        return Libc.call(() -> (MemorySegment) strerror.invokeExact(error))
                .reinterpret(LONGEST_TEXT)
                .getString(0);
    }
}
