package io.meshhost.machine;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Runs real programs.
 *
 * <p>The end of the program is waited for first, and its output then for a short time only: a daemon that it left behind
 * may hold the pipe open for ever (NATIVE.md 5).
 */
public final class SystemCommands implements Commands {
    private static final List<Path> DIRECTORIES = List.of(
            Path.of("/usr/local/sbin"),
            Path.of("/usr/local/bin"),
            Path.of("/usr/sbin"),
            Path.of("/usr/bin"),
            Path.of("/sbin"),
            Path.of("/bin"));
    private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    private static final int MOST = 8 * 1024 * 1024;
    private static final Duration DRAIN = Duration.ofMillis(500);
    /** Kept here: a logger that nobody holds is collected, and its level with it. */
    private static final Logger SPAWN = Logger.getLogger("java.lang.ProcessBuilder");

    public SystemCommands() {
        // At DEBUG, its unconfigured default, each start makes a record that waits in a queue for ever (NATIVE.md 5,
        // trap B).
        SPAWN.setLevel(Level.OFF);
    }

    @Override
    public Result run(Command command) {
        Process process = start(command);
        Drain out = Drain.of("out", process.getInputStream());
        Drain err = Drain.of("err", process.getErrorStream());
        feed(process, command);
        try {
            if (!process.waitFor(command.timeout().toNanos(), TimeUnit.NANOSECONDS)) {
                throw failed(command, "it did not end within " + inWords(command.timeout()) + " and was killed");
            }
            return new Result(process.exitValue(), out.text(), err.text());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failed(command, "the wait for it was interrupted");
        } finally {
            end(process);
        }
    }

    @Override
    public Optional<Path> find(String name) {
        if (name.isEmpty() || name.indexOf('/') >= 0 || name.indexOf('\0') >= 0) {
            return Optional.empty();
        }
        return DIRECTORIES.stream()
                .map(directory -> directory.resolve(name))
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .findFirst();
    }

    private Process start(Command command) {
        List<String> argv = new ArrayList<>(command.argv());
        if (argv.getFirst().indexOf('/') < 0) {
            argv.set(
                    0,
                    find(argv.getFirst())
                            .orElseThrow(() -> failed(command, "there is no such program; install it"))
                            .toString());
        }
        ProcessBuilder builder = new ProcessBuilder(argv);
        builder.environment().clear();
        builder.environment().put("PATH", PATH);
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.environment().putAll(command.environment());
        // Not the caller's: one started from a directory that is then unmounted would hold it.
        builder.directory(command.directory().orElse(Path.of("/")).toFile());
        try {
            return builder.start();
        } catch (IOException e) {
            throw new MachineFailure("cannot run " + command.shown() + ": " + reason(e), e);
        }
    }

    private static void feed(Process process, Command command) {
        Thread.ofVirtual().name("in").start(() -> {
            try (OutputStream in = process.getOutputStream()) {
                in.write(command.input().orElse("").getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                // A program may end without reading all that it is given; its status tells.
                return;
            }
        });
    }

    /** After a time-out, and only then, something is still alive: it and what it started are killed. */
    private static void end(Process process) {
        if (process.isAlive()) {
            List<ProcessHandle> family = process.descendants().toList();
            process.destroyForcibly();
            family.forEach(ProcessHandle::destroyForcibly);
        }
    }

    private static MachineFailure failed(Command command, String reason) {
        return new MachineFailure("cannot run " + command.shown() + ": " + reason);
    }

    private static String reason(IOException e) {
        String said = String.valueOf(e.getMessage());
        if (said.contains("error=2,") || said.contains("error: 2")) {
            return "there is no such program or directory";
        }
        if (said.contains("error=13,") || said.contains("error: 13")) {
            return "it may not be executed";
        }
        return said.contains("error=8,") || said.contains("error: 8") ? "it is not a program for this machine" : said;
    }

    private static String inWords(Duration time) {
        return time.toMillis() % 1000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
    }

    /** Reads a pipe as it fills, on a thread of its own, so that a talkative program is never blocked. */
    private record Drain(Thread thread, ByteArrayOutputStream bytes) {
        static Drain of(String name, InputStream pipe) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            return new Drain(Thread.ofVirtual().name(name).start(() -> pump(pipe, bytes)), bytes);
        }

        private static void pump(InputStream pipe, ByteArrayOutputStream bytes) {
            byte[] chunk = new byte[8192];
            try {
                for (int n = pipe.read(chunk); n >= 0; n = pipe.read(chunk)) {
                    // Past the limit it is still read, or the program would wait for us for ever.
                    bytes.write(chunk, 0, Math.min(n, MOST - bytes.size()));
                }
            } catch (IOException e) {
                // The pipe was closed under us after a kill; what came so far counts.
                return;
            }
        }

        String text() throws InterruptedException {
            thread.join(DRAIN);
            return bytes.toString(StandardCharsets.UTF_8);
        }
    }
}
