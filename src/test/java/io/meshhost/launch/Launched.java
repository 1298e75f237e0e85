package io.meshhost.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** {@code nox-mesh-host launch} as a process of its own, on the folder of a {@link Supervised}. */
final class Launched implements AutoCloseable {
    private final Path log;
    private final Process process;

    private Launched(Path log, Process process) {
        this.log = log;
        this.process = process;
    }

    /** The words that start it. A signal that is ignored at a start stays ignored, and a build's shell may ignore some. */
    static List<String> words() {
        return List.of(
                "env",
                "--default-signal=TERM,INT,HUP",
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx32m",
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.util.logging.manager=org.jboss.logmanager.LogManager",
                "-cp",
                System.getProperty("java.class.path"),
                "io.meshhost.cli.Main",
                "launch");
    }

    static Launched start(Map<String, String> environment, Path log) throws IOException {
        return start(List.of(), environment, log);
    }

    /**
     * @param before words that run what comes after them
     */
    static Launched start(List<String> before, Map<String, String> environment, Path log) throws IOException {
        List<String> words = new ArrayList<>(before);
        words.addAll(words());
        ProcessBuilder builder = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.environment().putAll(environment);
        return new Launched(log, builder.start());
    }

    long pid() {
        return process.pid();
    }

    boolean alive() {
        return process.isAlive();
    }

    /** By kill(1): the JDK sends but two. */
    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    int status() throws InterruptedException {
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("it ends").isTrue();
        return process.exitValue();
    }

    String said() throws IOException {
        return Files.readString(log);
    }

    void untilSaid(String part) {
        await().atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(20))
                .untilAsserted(() -> assertThat(said()).contains(part));
    }

    @Override
    public void close() {
        List<ProcessHandle> children = new ArrayList<>(process.descendants().toList());
        process.destroyForcibly().onExit().join();
        children.forEach(ProcessHandle::destroyForcibly);
    }
}
