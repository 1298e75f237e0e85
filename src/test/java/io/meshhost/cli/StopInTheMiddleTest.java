package io.meshhost.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.meshhost.testing.Needs;
import io.meshhost.testing.Shell;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TERM and INT while the host is in the middle of something: it ends with 0, and the next start finishes. */
@Tag("packaged")
class StopInTheMiddleTest {
    @TempDir
    Path dir;

    private final List<HostProcess> hosts = new ArrayList<>();

    @BeforeEach
    void packaged() throws IOException {
        Needs.that(Files.exists(HostProcess.JAR), "target/quarkus-app (a build)");
        Files.createDirectories(dir.resolve("cwd"));
        Files.createDirectories(dir.resolve("r/etc/mesh-host"));
    }

    @AfterEach
    void end() {
        hosts.forEach(HostProcess::close);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT"})
    void inALongStepTheStepIsFinishedAndNotRunAgain(String signal) throws Exception {
        String digest = tar("run", """
                #!/bin/sh
                echo begun > %1$s/begun
                sleep 8
                echo ran >> %1$s/ran
                """.formatted(dir));
        declare("""
                - {id: step, type: process, name: step, source: a.tar, digest: "sha256:%s", run: [./run], run_once: true}
                - {id: late, type: file, path: /srv/late, content: "l", after: [step]}
                """.formatted(digest));
        HostProcess host = started("begun");
        long took = stop(host, signal);
        assertThat(took).isBetween(1L, 30L);
        assertThat(dir.resolve("ran")).hasContent("ran");
        assertThat(dir.resolve("r/srv/late")).doesNotExist();
        finishes();
        assertThat(dir.resolve("ran")).as("run once").hasContent("ran");
        assertThat(dir.resolve("r/srv/late")).hasContent("l");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT"})
    void inAFetchThatDripsItEndsAtOnce(String signal) throws Exception {
        String digest = tar("file", "x".repeat(100_000));
        try (Dripping source = new Dripping(Files.readAllBytes(dir.resolve("r/etc/mesh-host/a.tar")))) {
            declare("""
                    - {id: a, type: archive, path: /srv/a, source: "%s", digest: "sha256:%s"}
                    """.formatted(source.address(), digest));
            HostProcess host = start();
            assertThat(source.asked.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(stop(host, signal)).isLessThan(10L);
            assertThat(dir.resolve("r/srv/a")).doesNotExist();
            source.fast.set(true);
            finishes();
            assertThat(dir.resolve("r/srv/a/file")).hasSize(100_000);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT"})
    void inAnUnpackNothingHalfIsLeft(String signal) throws Exception {
        Path tree = Files.createDirectories(dir.resolve("tree"));
        for (int i = 0; i < 6000; i++) {
            Files.writeString(tree.resolve("f" + i), "x".repeat(4000));
        }
        String digest = pack(tree);
        declare("""
                - {id: a, type: archive, path: /srv/a, source: a.tar, digest: "sha256:%s"}
                """.formatted(digest));
        HostProcess host = start();
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> host.status().path("work").path("what").asText().startsWith("unpacking"));
        assertThat(stop(host, signal)).isLessThan(15L);
        finishes();
        try (var files = Files.list(dir.resolve("r/srv/a"))) {
            assertThat(files).hasSize(6000);
        }
        try (var left = Files.list(dir.resolve("r/srv"))) {
            assertThat(left).containsExactly(dir.resolve("r/srv/a"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT"})
    void inAWaitForHealthItEndsAtOnceAndTheProcessWithIt(String signal) throws Exception {
        String digest = tar("run", "#!/bin/sh\necho $$ > " + dir.resolve("pid") + "\nexec sleep 600\n");
        Path well = dir.resolve("well");
        declare("""
                - {id: d, type: process, name: web, source: a.tar, digest: "sha256:%s", run: [./run],
                   health: {command: [test, -e, "%s"], interval: 200ms, timeout: 300s}}
                """.formatted(digest, well));
        HostProcess host = started("pid");
        String pid = Files.readString(dir.resolve("pid")).strip();
        assertThat(stop(host, signal)).isLessThan(20L);
        assertThat(Path.of("/proc", pid)).doesNotExist();
        Files.createFile(well);
        finishes();
    }

    @Test
    void aStepThatDoesNotEndIsEndedWithinTheBound() throws Exception {
        String digest = tar("run", "#!/bin/sh\necho $$ >> " + dir.resolve("pids") + "\nexec sleep 600\n");
        declare("""
                - {id: step, type: process, name: step, source: a.tar, digest: "sha256:%s", run: [./run], run_once: true}
                """.formatted(digest));
        HostProcess host = started("pids");
        String pid = Files.readString(dir.resolve("pids")).strip();
        assertThat(stop(host, "TERM")).isBetween(50L, 75L);
        assertThat(Path.of("/proc", pid)).doesNotExist();
        assertThat(host.log()).contains("it finishes first what it is at");
    }

    private HostProcess start() throws IOException {
        HostProcess host = HostProcess.run(dir.resolve("r"), dir.resolve("cwd"));
        hosts.add(host);
        return host;
    }

    /** Running, with this file there. */
    private HostProcess started(String file) throws IOException {
        HostProcess host = start();
        await().atMost(Duration.ofSeconds(60))
                .until(() -> Files.exists(dir.resolve(file)) && Files.size(dir.resolve(file)) > 0);
        return host;
    }

    /** Twice, since a second one changes nothing; gives the seconds that it took. */
    private static long stop(HostProcess host, String signal) throws IOException, InterruptedException {
        long start = System.nanoTime();
        host.signal(signal);
        host.signal(signal);
        assertThat(host.awaitExit()).isZero();
        assertThat(host.socket()).doesNotExist();
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
    }

    private void finishes() throws IOException, InterruptedException {
        HostProcess host = start();
        host.awaitReconciles(1);
        assertThat(host.status().path("state").asText()).as(host.log()).isEqualTo("well");
        stop(host, "TERM");
    }

    private void declare(String resources) throws IOException {
        Files.writeString(dir.resolve("r/etc/mesh-host/declaration.yaml"), """
                modules:
                  - module: demo
                    version: "1"
                    slug: demo
                    resources:
                """ + resources.indent(6));
    }

    private String tar(String name, String content) throws IOException, InterruptedException {
        Path tree = Files.createDirectories(dir.resolve("tree"));
        Path file = Files.writeString(tree.resolve(name), content, UTF_8);
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return pack(tree);
    }

    /** Gives the digest. */
    private String pack(Path tree) throws IOException, InterruptedException {
        Path tar = dir.resolve("r/etc/mesh-host/a.tar");
        Shell.must("tar", "-cf", tar.toString(), "-C", tree.toString(), ".");
        return Shell.must("sha256sum", tar.toString()).substring(0, 64);
    }

    /** Gives one byte in 50 ms, or all at once when {@link #fast}. */
    private static final class Dripping implements AutoCloseable {
        final CountDownLatch asked = new CountDownLatch(1);
        final AtomicBoolean fast = new AtomicBoolean();
        private final CountDownLatch never = new CountDownLatch(1);
        private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        private final byte[] bytes;
        private final HttpServer server;

        Dripping(byte[] bytes) throws IOException {
            this.bytes = bytes;
            this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.setExecutor(threads);
            server.createContext("/", this::answer);
            server.start();
        }

        String address() {
            return "http://127.0.0.1:" + server.getAddress().getPort() + "/a.tar";
        }

        private void answer(HttpExchange exchange) throws IOException {
            exchange.sendResponseHeaders(200, bytes.length);
            try (OutputStream out = exchange.getResponseBody()) {
                if (fast.get()) {
                    out.write(bytes);
                    return;
                }
                for (byte one : bytes) {
                    out.write(one);
                    out.flush();
                    asked.countDown();
                    if (never.await(50, TimeUnit.MILLISECONDS)) {
                        return;
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() {
            never.countDown();
            server.stop(0);
            threads.shutdownNow();
        }
    }
}
