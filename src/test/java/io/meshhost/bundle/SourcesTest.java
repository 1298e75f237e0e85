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
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fetching from a server on this machine that behaves badly in each way that servers do. */
class SourcesTest {
    private static final byte[] BYTES = "the bundle".repeat(10_000).getBytes(StandardCharsets.UTF_8);

    @TempDir
    Path dir;

    private final TestTicker ticker = new TestTicker();
    private final AtomicInteger asked = new AtomicInteger();
    private final CountDownLatch release = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private HttpServer server;
    private ContentStore store;

    private interface Answer {
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

    private URI at(String path, Answer answer) {
        server.createContext(path, exchange -> {
            try (exchange) {
                answer.to(exchange, asked.incrementAndGet());
            }
        });
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }

    private static void whole(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, BYTES.length);
        exchange.getResponseBody().write(BYTES);
    }

    private static void status(HttpExchange exchange, int status) throws IOException {
        exchange.sendResponseHeaders(status, -1);
    }

    private static String digest(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private Path fetch(URI source) {
        return store.fetch(source, digest(BYTES), Progress.NONE);
    }

    private void fails(URI source, String why) {
        assertThatThrownBy(() -> fetch(source))
                .isInstanceOf(BundleFailure.class)
                .hasMessageContaining(why);
        assertThat(store.stored(digest(BYTES))).isEmpty();
        java.io.File[] left = dir.resolve("bundles/sha256").toFile().listFiles();
        assertThat(left == null ? 0 : left.length).isZero();
    }

    @Test
    void bytesAreFetchedOnceAndKeptByDigest() throws IOException {
        URI source = at("/b.tar", (exchange, time) -> whole(exchange));
        List<Long> seen = new ArrayList<>();
        Path blob = store.fetch(source, digest(BYTES), (what, done, total) -> {
            assertThat(what).isEqualTo("fetching b.tar");
            assertThat(total).isEqualTo(BYTES.length);
            seen.add(done);
        });
        assertThat(blob)
                .isEqualTo(dir.resolve("bundles/sha256/" + digest(BYTES)))
                .hasBinaryContent(BYTES);
        assertThat(seen.getLast()).isEqualTo(BYTES.length);
        assertThat(fetch(source)).isEqualTo(blob);
        assertThat(asked).hasValue(1);
        assertThat(store.stored(digest(BYTES))).hasValue(blob);
    }

    @Test
    void aFileIsASourceToo() throws IOException {
        Path file = java.nio.file.Files.write(dir.resolve("a b"), BYTES);
        assertThat(fetch(file.toUri())).hasBinaryContent(BYTES);
        assertThatThrownBy(() -> store.fetch(URI.create("file:/nowhere"), "0".repeat(64), Progress.NONE))
                .isInstanceOf(BundleFailure.class)
                .hasMessage("cannot fetch /nowhere: it does not exist; check the source, then apply again");
    }

    @Test
    void whatIsNotThereIsNotAskedForAgain() {
        URI source = at("/gone", (exchange, time) -> status(exchange, 404));
        fails(source, "the server answers 404 (not found)");
        assertThat(asked).hasValue(1);
    }

    @Test
    void aServerThatIsBusyIsAskedAgain() {
        URI source = at("/busy", (exchange, time) -> {
            if (time < 3) {
                status(exchange, 503);
            } else {
                whole(exchange);
            }
        });
        assertThat(fetch(source)).hasBinaryContent(BYTES);
        assertThat(asked).hasValue(3);
    }

    @Test
    void aServerThatStaysBusyIsGivenUp() {
        URI source = at("/busy", (exchange, time) -> status(exchange, 503));
        fails(source, "the server answers 503 (not available) (3 attempts)");
        assertThat(asked).hasValue(3);
    }

    // BU-03
    @Test
    void wrongBytesAreNotFetchedAgain() {
        URI source = at("/wrong", (exchange, time) -> {
            exchange.sendResponseHeaders(200, 5);
            exchange.getResponseBody().write("other".getBytes(StandardCharsets.UTF_8));
        });
        String got = digest("other".getBytes(StandardCharsets.UTF_8));
        fails(source, "its SHA-256 is " + got + ", declared is " + digest(BYTES));
        fails(source, "its SHA-256 is " + got + ", declared is " + digest(BYTES));
        assertThat(asked).hasValue(1);
    }

    @Test
    void aBodyThatIsCutShortIsFetchedAgain() {
        URI source = at("/short", (exchange, time) -> {
            exchange.sendResponseHeaders(200, BYTES.length);
            exchange.getResponseBody().write(BYTES, 0, time < 2 ? 5_000 : BYTES.length);
        });
        assertThat(fetch(source)).hasBinaryContent(BYTES);
        assertThat(asked).hasValue(2);
    }

    @Test
    void aBodyThatStallsIsGivenUp() {
        URI source = at("/slow", (exchange, time) -> {
            exchange.sendResponseHeaders(200, BYTES.length);
            exchange.getResponseBody().write(BYTES, 0, 5_000);
            exchange.getResponseBody().flush();
            try {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        fails(source, "no byte came for 0 s (3 attempts)");
    }

    @Test
    void aRedirectIsFollowedWithinHttp() {
        at("/real", (exchange, time) -> whole(exchange));
        URI source = at("/moved", (exchange, time) -> {
            exchange.getResponseHeaders().add("Location", "/real");
            status(exchange, 302);
        });
        assertThat(fetch(source)).hasBinaryContent(BYTES);
    }

    @Test
    void aRedirectToAFileOrInACircleIsRefused() {
        URI file = at("/file", (exchange, time) -> {
            exchange.getResponseHeaders().add("Location", "file:///etc/passwd");
            status(exchange, 302);
        });
        fails(file, "it redirects away from http");
        URI circle = at("/circle", (exchange, time) -> {
            exchange.getResponseHeaders().add("Location", "/circle");
            status(exchange, 301);
        });
        fails(circle, "it redirects more than 5 times");
    }

    @Test
    void nobodyListening() throws IOException {
        int port = server.getAddress().getPort();
        server.stop(0);
        fails(URI.create("http://127.0.0.1:" + port + "/x"), "no connection");
    }

    // BU-04
    @Test
    void spaceIsCheckedBeforeTheFirstByte() {
        URI source = at("/huge", (exchange, time) -> {
            exchange.sendResponseHeaders(200, 1L << 60);
            exchange.getResponseBody().write(BYTES);
        });
        fails(source, "the disk is too full: it needs 1048576.0 TiB");
    }

    @Test
    void aPasswordInAnAddressIsUsedAndNotShown() {
        URI plain = at("/secret", (exchange, time) -> {
            if ("Basic dTpwdw==".equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
                status(exchange, 404);
            } else {
                status(exchange, 500);
            }
        });
        URI source = URI.create(plain.toString().replace("http://", "http://u:pw@"));
        assertThatThrownBy(() -> fetch(source)).hasMessageContaining("404").hasMessageNotContaining("pw");
    }

    @Test
    void aRegistrysBlobIsFetchedWithAnAnonymousToken() {
        int port = server.getAddress().getPort();
        at("/token", (exchange, time) -> {
            assertThat(exchange.getRequestURI().getQuery()).contains("service=reg", "scope=repository:team/app:pull");
            byte[] body = "{\"token\":\"abc\"}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        });
        at("/v2/team/app/blobs/sha256:" + digest(BYTES), (exchange, time) -> {
            if ("Bearer abc".equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
                whole(exchange);
            } else {
                exchange.getResponseHeaders()
                        .add(
                                "WWW-Authenticate",
                                "Bearer realm=\"http://127.0.0.1:" + port
                                        + "/token\",service=\"reg\",scope=\"repository:team/app:pull\"");
                status(exchange, 401);
            }
        });
        assertThat(fetch(URI.create("oci://127.0.0.1:" + port + "/team/app"))).hasBinaryContent(BYTES);
    }

    @Test
    void anUnknownKindOfSourceIsRefused() {
        fails(URI.create("ftp://host/x"), "ftp is no kind of source");
        fails(URI.create("oci://host/Upper"), "it is not oci://HOST/NAME");
    }

    // BU-01
    @Test
    void aMalformedDigestIsNoMismatch() {
        assertThatThrownBy(() -> store.fetch(URI.create("file:/x"), "../../etc/x", Progress.NONE))
                .isInstanceOf(BundleFailure.class)
                .hasMessageContaining("it is not SHA-256 as 64 lower-case hex digits");
    }

    @Test
    void pruningKeepsWhatIsNamedAndRemovesTheRest() throws IOException {
        Path blob = fetch(java.nio.file.Files.write(dir.resolve("x"), BYTES).toUri());
        Path half = java.nio.file.Files.write(blob.resolveSibling(".part-something"), new byte[5]);
        store.prune(Set.of(digest(BYTES)));
        assertThat(half).doesNotExist();
        assertThat(blob).exists();
        store.prune(Set.of());
        assertThat(blob).doesNotExist();
    }

    @Test
    void aDigestIsRememberedWhileTheFileStaysAsItIs() throws IOException {
        Path file = java.nio.file.Files.write(dir.resolve("x"), BYTES);
        assertThat(store.digest(file)).isEqualTo(digest(BYTES));
        assertThat(store.digest(file)).isEqualTo(digest(BYTES));
        java.nio.file.Files.write(file, "other".getBytes(StandardCharsets.UTF_8));
        assertThat(store.digest(file)).isEqualTo(digest("other".getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void waitingDoublesAndIsSpread() {
        Sources.Patience patience = Sources.Patience.USUAL;
        assertThat(patience.delay(1, 0)).isEqualTo(Duration.ofMillis(500));
        assertThat(patience.delay(1, 1)).isEqualTo(Duration.ofSeconds(1));
        assertThat(patience.delay(3, 1)).isEqualTo(Duration.ofSeconds(4));
    }
}
