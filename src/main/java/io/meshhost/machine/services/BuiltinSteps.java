package io.meshhost.machine.services;

import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.Ticker;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** Runs steps to their end, each as a child of this program that does not outlive it. */
final class BuiltinSteps {
    private static final Duration CANCELLED = Duration.ofSeconds(10);
    private static final Duration REST_OF_OUTPUT = Duration.ofSeconds(2);
    /** systemd.exec(5) EXIT_EXEC. */
    private static final int NOT_EXECUTED = 203;

    private static final int KILLED = 137;
    private final BuiltinLauncher launcher;
    private final ProcessTable table;
    private final Ticker ticker;
    private final Executor worker;
    private final Duration patience;

    BuiltinSteps(BuiltinLauncher launcher, ProcessTable table, Ticker ticker, Executor worker, Duration patience) {
        this.launcher = launcher;
        this.table = table;
        this.ticker = ticker;
        this.worker = worker;
        this.patience = patience;
    }

    /** The end of what a step printed: enough for 50 lines, bounded whatever it prints. */
    private static final class Tail {
        private static final int KEEP = 64 * 1024;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        synchronized void take(byte[] piece, int length) {
            bytes.write(piece, 0, length);
            if (bytes.size() > 2 * KEEP) {
                byte[] all = bytes.toByteArray();
                bytes.reset();
                bytes.write(all, all.length - KEEP, KEEP);
            }
        }

        synchronized List<String> lines() {
            List<String> lines = bytes.toString(StandardCharsets.UTF_8).lines().toList();
            return List.copyOf(lines.subList(Math.max(0, lines.size() - ProcessLog.LINES), lines.size()));
        }
    }

    /**
     * Whatever it left running is ended with it, as with a oneshot of systemd.
     *
     * @return status 203 and the reason as its only line where it cannot be started
     * @throws MachineFailure when the caller is interrupted; the step is then ended
     */
    Services.StepResult run(ProcessSpec spec, Duration timeout) {
        String mark = UUID.randomUUID().toString().replace("-", "");
        try (Spawner spawner = new Spawner("step " + spec.name())) {
            Process process;
            try {
                process = spawner.start(launcher.command(spec, mark), spec.directory());
            } catch (MachineFailure e) {
                return new Services.StepResult(NOT_EXECUTED, false, List.of(e.sentence()));
            }
            return finish(spec, timeout, process, mark);
        }
    }

    private Services.StepResult finish(ProcessSpec spec, Duration timeout, Process process, String mark) {
        Tail tail = new Tail();
        Thread pump = Pump.start("output of step " + spec.name(), process, tail::take);
        int pid = (int) process.pid();
        long started = table.entry(pid).map(ProcessTable.Entry::started).orElse(0L);
        CompletableFuture<Process> exit = process.onExit();
        TreeEnd.Run run = new TreeEnd.Run(pid, started, mark, exit);
        CompletableFuture<Boolean> over = exit.thenApply(_ -> false);
        Ticker.Cancellable limit = ticker.after(timeout, () -> over.complete(true));
        try {
            boolean timedOut = over.get();
            end(run, patience).get();
            pump.join(REST_OF_OUTPUT);
            return new Services.StepResult(exit.isDone() ? process.exitValue() : KILLED, timedOut, tail.lines());
        } catch (InterruptedException e) {
            cancel(run);
            Thread.currentThread().interrupt();
            throw new MachineFailure(
                    "cannot finish " + spec.name() + ": the host is stopping; the next apply runs it again", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } finally {
            limit.cancel();
        }
    }

    private CompletableFuture<Boolean> end(TreeEnd.Run run, Duration within) {
        return new TreeEnd(table, ticker, worker, run, () -> within).start();
    }

    /** The flag of the interrupt is down here, so the wait is a real one; it is bounded. */
    private void cancel(TreeEnd.Run run) {
        CompletableFuture<Boolean> ended = end(run, CANCELLED);
        ended.completeOnTimeout(true, 2 * CANCELLED.toSeconds(), TimeUnit.SECONDS)
                .join();
    }
}
