package io.meshhost.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.meshhost.machine.Progress;
import io.meshhost.testing.Needs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code oci:} against the registry that everybody runs (Distribution), on loopback. */
@Tag("root")
class RegistryTest {
    @TempDir
    Path dir;

    private Bench bench;
    private Process registry;
    private int port;
    private HttpClient client;

    @BeforeEach
    void aRegistryWithABlob() throws Exception {
        Path program = Needs.command("docker-registry");
        dir = dir.toRealPath();
        bench = new Bench(dir);
        client = HttpClient.newHttpClient();
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Files.writeString(dir.resolve("registry.yml"), """
                version: 0.1
                log: {level: error}
                storage: {filesystem: {rootdirectory: %s}}
                http: {addr: '127.0.0.1:%d'}
                """.formatted(dir.resolve("registry"), port));
        registry = new ProcessBuilder(
                        program.toString(),
                        "serve",
                        dir.resolve("registry.yml").toString())
                .redirectErrorStream(true)
                .redirectOutput(dir.resolve("registry.log").toFile())
                .start();
        await().atMost(Duration.ofSeconds(20))
                .ignoreExceptions()
                .until(() -> send(HttpRequest.newBuilder(at("/v2/"))).statusCode() == 200);
    }

    @AfterEach
    void stop() {
        registry.destroy();
        registry.onExit().join();
        client.close();
        bench.close();
    }

    private URI at(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    /** As the OCI distribution spec's "Pushing a blob monolithically" has it. */
    private String push(String name, Path blob) throws Exception {
        String sha256 = bench.files.sha256(blob);
        HttpResponse<String> begun =
                send(HttpRequest.newBuilder(at("/v2/" + name + "/blobs/uploads/")).POST(BodyPublishers.noBody()));
        assertThat(begun.statusCode()).isEqualTo(202);
        String upload = begun.headers().firstValue("Location").orElseThrow();
        HttpResponse<String> put = send(HttpRequest.newBuilder(URI.create(upload + "&digest=sha256:" + sha256))
                .header("Content-Type", "application/octet-stream")
                .PUT(BodyPublishers.ofFile(blob)));
        assertThat(put.statusCode()).isEqualTo(201);
        return sha256;
    }

    private URI source(String name) {
        return URI.create("oci://127.0.0.1:" + port + "/" + name);
    }

    @Test
    void aBlobIsFetchedByItsDigestAndUnpacked() throws Exception {
        bench.sh("umask 022; mkdir src; printf hello > src/page; head -c 3M /dev/urandom > src/data; tar -czf a src");
        String sha256 = push("team/web", dir.resolve("a"));
        Path blob = bench.store.fetch(source("team/web"), sha256, Progress.NONE);
        assertThat(blob).hasSameBinaryContentAs(dir.resolve("a"));
        bench.store.unpack(blob, 1, dir.resolve("out"), Bench.self(), Progress.NONE);
        assertThat(Bench.tree(dir.resolve("out"))).isEqualTo(Bench.tree(dir.resolve("src")));
    }

    @Test
    void itIsNotAskedForWhatIsHereAlready() throws Exception {
        bench.sh("head -c 10000 /dev/urandom > a");
        String sha256 = push("web", dir.resolve("a"));
        bench.store.fetch(source("web"), sha256, Progress.NONE);
        registry.destroy();
        registry.onExit().join();
        assertThat(bench.store.fetch(source("web"), sha256, Progress.NONE)).hasSameBinaryContentAs(dir.resolve("a"));
    }

    @Test
    void anUnknownDigestIsNotFound() throws Exception {
        bench.sh("printf a > a; printf b > b");
        push("web", dir.resolve("a"));
        String other = bench.files.sha256(dir.resolve("b"));
        assertThatThrownBy(() -> bench.store.fetch(source("web"), other, Progress.NONE))
                .isInstanceOf(BundleFailure.class)
                .hasMessageContaining("the server answers 404 (not found)");
        assertThat(bench.store.stored(other)).isEmpty();
    }

    @Test
    void aBlobThatRottedOnTheRegistrysDiskIsRefusedAndNotKept() throws Exception {
        bench.sh("head -c 100000 /dev/urandom > a");
        String sha256 = push("web", dir.resolve("a"));
        bench.sh("f=$(find registry -path '*/blobs/sha256/*" + sha256 + "/data'); printf XX |"
                + " dd of=\"$f\" bs=1 seek=500 conv=notrunc 2>/dev/null; sha256sum <\"$f\" | cut -c1-64 > rotten");
        String rotten = Files.readString(dir.resolve("rotten")).strip();
        assertThatThrownBy(() -> bench.store.fetch(source("web"), sha256, Progress.NONE))
                .isInstanceOf(BundleFailure.class)
                .hasMessageContaining("its SHA-256 is " + rotten + ", declared is " + sha256);
        assertThat(bench.store.stored(sha256)).isEmpty();
        assertThat(bench.files.list(dir.resolve("bundles/sha256"))).isEmpty();
    }
}
