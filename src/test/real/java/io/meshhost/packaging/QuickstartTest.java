package io.meshhost.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.meshhost.testing.Needs;
import io.meshhost.testing.Shell;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The README's first command, as root and as somebody who may write in one temporary folder only. */
@Tag("root")
class QuickstartTest {
    /** Of what is built already, with no AOT cache to help. */
    private static final Duration UP_WITHIN = Duration.ofSeconds(15);

    private Path folder = Path.of("");
    private int port;

    @BeforeEach
    void aCopyOfTheBuiltProjectThatAnyUserMayRead() throws Exception {
        Needs.root();
        Needs.that(
                Files.isExecutable(Path.of("target/bin/nox-mesh-host")), "target/bin/nox-mesh-host (the package phase)");
        folder = Files.createTempDirectory("mhq");
        Path project = Files.createDirectories(folder.resolve("project/target"));
        Shell.must("cp", "-a", "packaging", "examples", project.getParent().toString());
        Shell.must("cp", "-a", "target/bin", "target/quarkus-app", "target/quickstart", project.toString());
        Shell.must("chmod", "-R", "a+rX", folder.toString());
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        Shell.must("rm", "-rf", folder.toString());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 65534})
    void itKeepsAMachineUntilCtrlC(int uid) throws Exception {
        Path scratch = Files.createDirectory(folder.resolve("r"));
        Shell.must("chown", uid + ":" + uid, scratch.toString());
        Path out = folder.resolve("out");
        long start = System.nanoTime();
        Process quickstart = new ProcessBuilder(as(
                        uid,
                        "QUICKSTART_PORT=" + port,
                        folder.resolve("project/packaging/quickstart").toString(),
                        scratch.toString()))
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        try {
            await().atMost(UP_WITHIN)
                    .ignoreExceptionsInstanceOf(IOException.class)
                    .untilAsserted(() -> assertThat(page()).contains("kept by mesh-host"));
            System.out.println("quickstart of uid " + uid + ": its page answered after "
                    + Duration.ofNanos(System.nanoTime() - start).toMillis() + " ms");
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(out).content().contains("Ctrl-C stops it"));
            assertThat(scratch.resolve("etc/quickstart/greeting")).content().contains("mesh-host keeps this file");
            assertThat(scratch.resolve("var/lib/quickstart/prepared")).content().contains("prepared once");
            assertThat(out).content().contains("What it did").contains("quickstart/web").doesNotContain("Exception");

            Files.delete(scratch.resolve("srv/quickstart/index.html"));
            Shell.must(as(
                            uid,
                            folder.resolve("project/target/bin/nox-mesh-host").toString(),
                            "apply",
                            "--root",
                            scratch.toString(),
                            scratch.resolve("quickstart.yaml").toString())
                    .toArray(String[]::new));
            assertThat(page()).contains("kept by mesh-host");
        } finally {
            // To the script alone: it passes the stop on.
            Shell.must("kill", "-INT", Long.toString(quickstart.pid()));
            assertThat(quickstart.waitFor(90, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(out).content().contains("quickstart: stopped");
        assertThat(quickstart.exitValue()).isZero();
        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(commandLinesNaming(scratch)).isEmpty());
    }

    private static List<String> as(int uid, String... words) {
        List<String> start = List.of(
                "setpriv",
                "--reuid=" + uid,
                "--regid=" + uid,
                "--clear-groups",
                "env",
                "--default-signal=INT,HUP",
                "HOME=/nonexistent",
                "MESH_HOST_AOT=off");
        return Stream.concat(start.stream(), Stream.of(words)).toList();
    }

    private String page() throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    private static List<String> commandLinesNaming(Path scratch) {
        return ProcessHandle.allProcesses()
                .flatMap(process -> process.info().commandLine().stream())
                .filter(line -> line.contains(scratch.toString()))
                .toList();
    }
}
