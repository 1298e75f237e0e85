package io.meshhost.cli;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.meshhost.control.ControlClient;
import io.meshhost.control.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The packaged program as a real process, under a scratch root, seen from outside. */
final class HostProcess implements AutoCloseable {
    static final Path JAR = Path.of("target/quarkus-app/quarkus-run.jar").toAbsolutePath();

    final Path root;
    private final Path cwd;
    private final Path log;
    private final Process process;

    private HostProcess(Path root, Path cwd, Path log, Process process) {
        this.root = root;
        this.cwd = cwd;
        this.log = log;
        this.process = process;
    }

    static HostProcess run(Path root, Path cwd) throws IOException {
        return start(root, cwd, "run", "--root", root.toString(), "--trust-file");
    }

    /** The supervisor; the host placed by hand is this program too. */
    static HostProcess launch(Path root, Path cwd) throws IOException {
        Path placed = Files.createDirectories(root.resolve("usr/bin")).resolve("nox-mesh-host");
        String words = java("\"$@\"", "--trust-file").stream()
                .map(word -> word.startsWith("\"") ? word : "'" + word + "'")
                .collect(Collectors.joining(" "));
        Files.writeString(placed, "#!/bin/sh\nexec " + words + "\n");
        Files.setPosixFilePermissions(placed, PosixFilePermissions.fromString("rwxr-xr-x"));
        return start(root, cwd, "launch", "--root", root.toString());
    }

    private static HostProcess start(Path root, Path cwd, String... args) throws IOException {
        Path log = cwd.resolve("host.log");
        // A signal that is ignored at the start stays ignored, and a build's shell may ignore some.
        List<String> words = new ArrayList<>(List.of("env", "--default-signal=TERM,INT,HUP"));
        words.addAll(java(args));
        Process process = new ProcessBuilder(words)
                .directory(cwd.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        return new HostProcess(root, cwd, log, process);
    }

    private static List<String> java(String... args) {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--sun-misc-unsafe-memory-access=allow",
                "--enable-native-access=ALL-UNNAMED",
                "-jar",
                JAR.toString()));
        words.addAll(List.of(args));
        return words;
    }

    /** A short command beside it. */
    record Said(int code, String out, String err) {}

    Said command(String... args) throws IOException, InterruptedException {
        Path out = Files.createTempFile(cwd, "out", "");
        Path err = Files.createTempFile(cwd, "err", "");
        Process command = new ProcessBuilder(java(args))
                .directory(cwd.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        if (!command.waitFor(60, TimeUnit.SECONDS)) {
            command.destroyForcibly();
            throw new AssertionError("it does not end: " + List.of(args));
        }
        return new Said(command.exitValue(), Files.readString(out), Files.readString(err));
    }

    Path socket() {
        return root.resolve("run/mesh-host/control.sock");
    }

    long pid() {
        return process.pid();
    }

    JsonNode status() {
        return new ControlClient(socket())
                .get("/v1/status")
                .map(answer -> Wire.tree(answer.body()))
                .orElseGet(() -> Wire.tree("{}"));
    }

    /** What a person reads. */
    String page() throws IOException, InterruptedException {
        Said said = command("status", "--root", root.toString());
        return said.out() + said.err();
    }

    /** Waits for a level, never for an edge. */
    void awaitReconciles(long atLeast) {
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(100))
                .until(() -> status().path("reconciles").asLong() >= atLeast);
    }

    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, String.valueOf(pid())).start().waitFor();
    }

    int awaitExit() throws InterruptedException {
        if (!process.waitFor(90, TimeUnit.SECONDS)) {
            throw new AssertionError("the host does not end");
        }
        return process.exitValue();
    }

    String log() throws IOException {
        return Files.readString(log);
    }

    /** TERM, waited for: what it started ends with it. */
    void end() throws InterruptedException {
        process.destroy();
        awaitExit();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
