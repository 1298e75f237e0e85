package io.meshhost.machine.services;

import io.meshhost.machine.MachineFailure;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The one thread that starts processes, for as long as they are to live.
 *
 * <p>prctl(2) PR_SET_PDEATHSIG: the signal comes when the <em>thread</em> that made the process ends. A
 * pooled thread, or the carrier of a virtual one, may end while the program goes on, and would take the
 * process with it.
 */
final class Spawner implements AutoCloseable {
    private final LinkedBlockingQueue<Runnable> work = new LinkedBlockingQueue<>();
    private boolean closed;

    Spawner(String name) {
        Thread.ofPlatform().name(name).daemon().start(this::serve);
    }

    private void serve() {
        while (!done()) {
            try {
                work.take().run();
            } catch (InterruptedException e) {
                // Only close() ends this thread, and it does so by a task: nobody has a reason to interrupt it.
                throw new IllegalStateException(e);
            }
        }
    }

    private synchronized boolean done() {
        return closed && work.isEmpty();
    }

    /** What is given before the end is done; afterwards nothing is taken, since nobody would answer. */
    private synchronized boolean give(Runnable task) {
        return !closed && work.add(task);
    }

    /**
     * Starts it with stdin from /dev/null and both outputs on one pipe.
     *
     * @throws MachineFailure when the kernel refuses
     */
    Process start(BuiltinCommand command, Path directory) {
        CompletableFuture<Process> started = new CompletableFuture<>();
        boolean given = give(() -> {
            try {
                started.complete(spawn(command, directory));
            } catch (IOException | RuntimeException | Error e) {
                // Also no thread for the JDK's reaper: this one must go on, or all its processes end with it.
                started.completeExceptionally(e);
            }
        });
        if (!given) {
            throw new MachineFailure("cannot start " + command.argv().getFirst() + ": the host is stopping");
        }
        try {
            return started.join();
        } catch (CompletionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new MachineFailure(
                    "cannot start " + command.argv().getFirst() + " in " + directory + ": " + cause.getMessage(), e);
        }
    }

    private static Process spawn(BuiltinCommand command, Path directory) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command.argv())
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectInput(new File("/dev/null"));
        builder.environment().clear();
        builder.environment().putAll(command.environment());
        return builder.start();
    }

    /** Ends the thread, and with it every process that it started and that is still there. */
    @Override
    public synchronized void close() {
        closed = true;
        // The thread may wait for work already, having seen it open.
        work.add(() -> {});
    }
}
