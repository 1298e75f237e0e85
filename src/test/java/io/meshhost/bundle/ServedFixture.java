package io.meshhost.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.meshhost.machine.Files;
import io.meshhost.machine.Probe;
import io.meshhost.machine.Progress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A server on this machine that answers as a test says, and a store that fetches from it. */
abstract class ServedFixture {
    static final byte[] BYTES = "the bundle".repeat(10_000).getBytes(StandardCharsets.UTF_8);

    @TempDir
    Path dir;

    final TestTicker ticker = new TestTicker();
    final AtomicInteger asked = new AtomicInteger();
    final CountDownLatch release = new CountDownLatch(1);
    final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    HttpServer server;
    ContentStore store;

    interface Answer {
        void to(HttpExchange exchange, int time) throws IOException;
    }

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.start();
        Sources.Patience patience =
                new Sources.Patience(Duration.ofSeconds(5), Duration.ofMillis(500), 3, Duration.ofMillis(20));
        Files files = new Files(Path.of("/"), Probe.NONE);
        store = new ContentStore(
                dir.resolve("bundles"), files, ticker, new Sources(ticker, Optional.empty(), patience), Limits.USUAL);
    }

    @AfterEach
    void stop() {
        release.countDown();
        server.stop(0);
        threads.shutdownNow();
        ticker.close();
    }

    URI at(String path, Answer answer) {
        server.createContext(path, exchange -> {
            try (exchange) {
                answer.to(exchange, asked.incrementAndGet());
            }
        });
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }

    static void whole(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, BYTES.length);
        exchange.getResponseBody().write(BYTES);
    }

    static void status(HttpExchange exchange, int status) throws IOException {
        exchange.sendResponseHeaders(status, -1);
    }

    static String digest(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    Path fetch(URI source) {
        return store.fetch(source, digest(BYTES), Progress.NONE);
    }

    void fails(URI source, String why) {
        assertThatThrownBy(() -> fetch(source))
                .isInstanceOf(BundleFailure.class)
                .hasMessageContaining(why);
        assertThat(store.stored(digest(BYTES))).isEmpty();
        java.io.File[] left = dir.resolve("bundles/sha256").toFile().listFiles();
        assertThat(left == null ? 0 : left.length).isZero();
    }
}
