package io.meshhost.machine.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Starts programs by posix_spawn(3), without the helper program that the JDK puts in between: half a millisecond less, and
 * a Java that is replaced under a long-lived program takes nothing from it.
 *
 * <p>What is started gets our stdout and stderr, an empty stdin, none of our other descriptors (posix_spawn_file_actions_
 * addclosefrom_np, glibc 2.34) and no blocked signals.
 *
 * <p>Not thread-safe: one loop starts.
 */
public final class Spawner {
    /** More than posix_spawnattr_t, posix_spawn_file_actions_t and sigset_t are in glibc, on any architecture. */
    private static final long OPAQUE = 1024;

    private static final short SETSIGMASK = 0x08;
    private static final int O_RDONLY = 0;
    private static final int FIRST_OF_OURS = 3;
    /** errno(3): neither a binary of this machine nor a script with a first line that names its interpreter. */
    private static final int ENOEXEC = 8;

    private final Children children = new Children();
    private final MethodHandle spawn;
    private final MemorySegment actions;
    private final MemorySegment attributes;
    private final MemorySegment nothing;
    private final List<String> ours;

    /** @throws IOException when /proc does not tell our environment, or the kernel or glibc is too old */
    public Spawner() throws IOException {
        // Asked now: found out at a start, it would be taken for a fault of what is started.
        children.mustWatch();
        Linker linker = Linker.nativeLinker();
        Arena forEver = Arena.ofAuto();
        actions = actions(linker, forEver);
        attributes = attributes(linker, forEver);
        nothing = forEver.allocateFrom("/");
        spawn = Libc.handle(
                linker,
                "posix_spawn",
                FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS));
        // As bytes: a variable need not be text, and what we cannot read is to reach the child as it reached us.
        ours = List.of(new String(Files.readAllBytes(Path.of("/proc/self/environ")), ISO_8859_1).split("\0"));
    }

    private static MemorySegment actions(Linker linker, Arena arena) {
        MemorySegment made = arena.allocate(OPAQUE);
        MethodHandle init =
                Libc.handle(linker, "posix_spawn_file_actions_init", FunctionDescriptor.of(JAVA_INT, ADDRESS));
        MethodHandle open = Libc.handle(
                linker,
                "posix_spawn_file_actions_addopen",
                FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
        MethodHandle close = Libc.handle(
                linker, "posix_spawn_file_actions_addclosefrom_np", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
        MemorySegment nowhere = arena.allocateFrom("/dev/null");
        must(Libc.call(() -> (int) init.invokeExact(made)));
        must(Libc.call(() -> (int) open.invokeExact(made, 0, nowhere, O_RDONLY, 0)));
        must(Libc.call(() -> (int) close.invokeExact(made, FIRST_OF_OURS)));
        return made;
    }

    /** The JVM blocks signals in its threads, and a mask is inherited. */
    private static MemorySegment attributes(Linker linker, Arena arena) {
        MemorySegment made = arena.allocate(OPAQUE);
        MethodHandle init = Libc.handle(linker, "posix_spawnattr_init", FunctionDescriptor.of(JAVA_INT, ADDRESS));
        MethodHandle flags =
                Libc.handle(linker, "posix_spawnattr_setflags", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_SHORT));
        MethodHandle mask =
                Libc.handle(linker, "posix_spawnattr_setsigmask", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
        MemorySegment none = arena.allocate(OPAQUE);
        must(Libc.call(() -> (int) init.invokeExact(made)));
        must(Libc.call(() -> (int) flags.invokeExact(made, SETSIGMASK)));
        must(Libc.call(() -> (int) mask.invokeExact(made, none)));
        return made;
    }

    private static void must(int error) {
        if (error != 0) {
            throw new IllegalStateException("posix_spawn(3) cannot be prepared: error " + error);
        }
    }

    /** What can be started at once: nothing is copied any more while a machine has no host. */
    public static final class Program {
        private final List<String> argv;
        private final Map<String, String> set;
        private final Set<String> unset;
        private final Image image;

        private Program(List<String> argv, Map<String, String> set, Set<String> unset, Image image) {
            this.argv = argv;
            this.set = set;
            this.unset = unset;
            this.image = image;
        }
    }

    /** As the C library takes it: a file's name, and two arrays that end with NULL. */
    private record Image(MemorySegment file, MemorySegment argv, MemorySegment environment) {}

    /**
     * @param argv the program's file first
     * @param set variables to add to our environment, or to put in the place of ours
     * @param unset variables of ours to leave out
     */
    public Program prepare(List<String> argv, Map<String, String> set, Set<String> unset) {
        return new Program(argv, set, unset, image(argv, set, unset));
    }

    /** @throws IOException with the reason, in the words of strerror(3) */
    public Child start(Program program) throws IOException {
        int pid = spawn(program.image.file(), program.image);
        if (pid == -ENOEXEC) {
            // As a shell does, and the JDK: then it is one of its scripts.
            List<String> script = new ArrayList<>(program.argv);
            script.addFirst("/bin/sh");
            Image shell = image(script, program.set, program.unset);
            pid = spawn(shell.file(), shell);
        }
        if (pid < 0) {
            throw new IOException(children.text(-pid));
        }
        return watched(pid);
    }

    /** As {@link #start} and {@link Child#ended}, of a program that nobody has: what was done before is done faster. */
    public void rehearse(Program program) {
        spawn(nothing, program.image);
        children.ended(0);
    }

    /** One whose end we could not see must not run: nobody would ever start its successor. */
    private Child watched(int pid) throws IOException {
        int descriptor = children.descriptor(pid);
        if (descriptor < 0) {
            children.end(pid);
            throw new IOException("it was started and ended again, since no pidfd_open(2) can be had for it");
        }
        return new Child(children, pid, descriptor);
    }

    /** The pid, or the error's number below zero. */
    private int spawn(MemorySegment file, Image now) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pid = arena.allocate(JAVA_INT);
            int error = Libc.call(
                    () -> (int) spawn.invokeExact(pid, file, actions, attributes, now.argv(), now.environment()));
            return error == 0 ? pid.get(JAVA_INT, 0) : -error;
        }
    }

    private Image image(List<String> argv, Map<String, String> set, Set<String> unset) {
        Arena arena = Arena.ofAuto();
        List<MemorySegment> arguments =
                argv.stream().map(word -> arena.allocateFrom(word, UTF_8)).toList();
        List<MemorySegment> variables = new ArrayList<>();
        for (String line : ours) {
            String name = line.substring(0, Math.max(0, line.indexOf('=')));
            if (!set.containsKey(name) && !unset.contains(name)) {
                variables.add(arena.allocateFrom(line, ISO_8859_1));
            }
        }
        set.forEach((name, value) -> variables.add(arena.allocateFrom(name + "=" + value, UTF_8)));
        return new Image(arguments.getFirst(), array(arena, arguments), array(arena, variables));
    }

    private static MemorySegment array(Arena arena, List<MemorySegment> pointers) {
        MemorySegment array = arena.allocate(ValueLayout.ADDRESS, pointers.size() + 1L);
        for (int i = 0; i < pointers.size(); i++) {
            array.setAtIndex(ADDRESS, i, pointers.get(i));
        }
        array.setAtIndex(ADDRESS, pointers.size(), MemorySegment.NULL);
        return array;
    }
}
