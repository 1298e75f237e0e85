package io.meshhost.machine;

import io.meshhost.machine.linux.Signal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * A program that is started and watched: with our own streams, so that what it says goes where our words go, and our
 * environment but for what is changed in it.
 *
 * <p>Its end is seen though a grandchild holds its streams, since nobody reads them.
 */
public final class Offspring {
    private static final int TERM = 15;
    private static final int KILL = 9;
    /** Kept here: a logger that nobody holds is collected, and its level with it (NATIVE.md 5, trap B). */
    private static final Logger SPAWN = Logger.getLogger("java.lang.ProcessBuilder");

    private final Process process;

    private Offspring(Process process) {
        this.process = process;
    }

    /**
     * What to start.
     *
     * @param set variables to add
     * @param unset variables to leave out
     */
    public record Program(Path file, List<String> arguments, Map<String, String> set, Set<String> unset) {}

    /**
     * @param ended called once, on a thread of its own, with the status as a shell counts it
     * @throws MachineFailure when it cannot be started
     */
    public static Offspring start(Program program, IntConsumer ended) {
        SPAWN.setLevel(Level.OFF);
        List<String> argv = new ArrayList<>();
        argv.add(program.file().toString());
        argv.addAll(program.arguments());
        ProcessBuilder builder = new ProcessBuilder(argv).inheritIO();
        builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        builder.environment().keySet().removeAll(program.unset());
        builder.environment().putAll(program.set());
        try {
            Process process = builder.start();
            // A platform thread: it is woken soonest (NATIVE.md 5), and the wait is all that it does.
            Thread.ofPlatform().daemon().name("child").start(() -> ended.accept(end(process)));
            return new Offspring(process);
        } catch (IOException e) {
            throw new MachineFailure("cannot start " + program.file() + ": " + e.getMessage(), e);
        }
    }

    private static int end(Process process) {
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            // Nobody has a reason to; and its end must be told whatever happens.
            return end(process);
        }
    }

    public long pid() {
        return process.pid();
    }

    /** Any signal of signal(7); nothing when it has ended. */
    public void signal(int number) {
        switch (number) {
            case TERM -> process.destroy();
            case KILL -> process.destroyForcibly();
            default -> Signal.send(process, number);
        }
    }
}
