package io.meshhost.launch.differential;

import static org.awaitility.Awaitility.await;

import io.meshhost.launch.Launcher;
import io.meshhost.launch.NoHostEnv;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** Runs a scenario through launchers, one after the other. */
final class Launchers {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private Launchers() {}

    /** One launcher at work. */
    interface Running {
        /** TERM was sent to it. */
        void term();

        CompletableFuture<Integer> ended();
    }

    /** Ours, in this process: the loop itself, with real hosts. */
    static Running ours(Map<String, String> environment) {
        Launcher launcher = Launcher.real(NoHostEnv.settings(environment), environment, line -> {});
        CompletableFuture<Integer> ended = CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return launcher.supervise();
                    } catch (Exception e) {
                        throw new CompletionException(e);
                    }
                },
                task -> Thread.ofPlatform().name("launcher").start(task));
        return running(launcher::term, ended);
    }

    /** The seed's, or any shell launcher. */
    static Running script(Path script, Map<String, String> environment) {
        ProcessBuilder builder = new ProcessBuilder("sh", script.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            return running(process::destroy, process.onExit().thenApply(Process::exitValue));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static Running running(Runnable term, CompletableFuture<Integer> ended) {
        return new Running() {
            @Override
            public void term() {
                term.run();
            }

            @Override
            public CompletableFuture<Integer> ended() {
                return ended;
            }
        };
    }

    /**
     * @param scripts for each launcher in turn the script that it is; empty: it is ours
     */
    static Outcome run(Scenario scenario, Stage stage, List<Optional<Path>> scripts) throws Exception {
        Map<String, String> environment = stage.environment(scenario);
        List<Integer> statuses = new ArrayList<>();
        for (Optional<Path> script : scripts) {
            Running launcher = script.map(path -> script(path, environment)).orElseGet(() -> ours(environment));
            await().pollInterval(Duration.ofMillis(10))
                    .atMost(PATIENCE)
                    .until(() -> launcher.ended().isDone() || Files.exists(stage.stop()));
            long told = System.nanoTime();
            if (!launcher.ended().isDone()) {
                launcher.term();
            }
            statuses.add(launcher.ended().get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
            stage.launcherEnded(Duration.ofNanos(System.nanoTime() - told));
            await().pollInterval(Duration.ofMillis(10))
                    .atMost(PATIENCE)
                    .until(() -> stage.left().isEmpty());
        }
        return stage.outcome(statuses);
    }
}
