package io.meshhost.apply;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.meshhost.apply.testing.ProcessBox;
import io.meshhost.apply.testing.ProcessBox.Told;
import io.meshhost.apply.testing.ProcessDraft;
import io.meshhost.declaration.Resource.Health.Check;
import io.meshhost.declaration.Resource.ProcessResource;
import io.meshhost.testing.UnixServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process is taken as healthy by what it really answers; time passes only where it is waited for. */
class ProcessHealthTest {
    @TempDir
    Path root;

    private final AtomicInteger asked = new AtomicInteger();
    private ProcessBox box;
    private HttpServer server;
    private String bundle;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
        box = new ProcessBox(root);
        bundle = box.bundles.publish("1", Map.of("bin/", "", "bin/app*", "x", "version", "1"));
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    /** Each status once, the last for ever. */
    private URI answering(int... statuses) {
        server.createContext("/health", exchange -> {
            int status = statuses[Math.min(asked.getAndIncrement(), statuses.length - 1)];
            exchange.getResponseHeaders().add("Location", "/elsewhere");
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        return url();
    }

    private URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/health");
    }

    private ProcessResource web(Check check) {
        return ProcessDraft.of(bundle)
                .healthy(check, Duration.ofSeconds(2), Duration.ofSeconds(60))
                .build();
    }

    private Told apply(Check check) {
        return box.apply(web(check));
    }

    @Test
    void anAnswerOf200IsEnough() {
        assertThat(apply(new Check.Http(answering(200))).action()).isEqualTo("created");
        assertThat(asked).hasValue(1);
    }

    @Test
    void oneThatIsNotReadyYetIsAskedAgainAfterTheInterval() {
        assertThat(apply(new Check.Http(answering(503, 503, 200))).error()).isEmpty();
        assertThat(asked).hasValue(3);
        assertThat(box.ticker.passed()).isBetween(Duration.ofSeconds(4), Duration.ofSeconds(5));
    }

    @Test
    void oneThatIsNeverReadyFailsWhenItsTimeIsOver() {
        URI url = answering(503);
        assertThat(apply(new Check.Http(url)).error())
                .startsWith("cannot take web as healthy: within 60 s " + url + " answered 503; nothing of it runs");
        assertThat(box.ticker.passed()).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(63));
        assertThat(box.services.running()).isEmpty();
    }

    @Test
    void aRedirectIsAnAnswerAndIsNotFollowed() {
        server.createContext("/elsewhere", exchange -> {
            asked.addAndGet(100);
            exchange.close();
        });
        assertThat(apply(new Check.Http(answering(302))).error()).isEmpty();
        assertThat(asked).hasValue(1);
    }

    @Test
    void whereNobodyListensThatIsSaid() {
        URI url = url();
        server.stop(0);
        assertThat(apply(new Check.Http(url)).error())
                .startsWith("cannot take web as healthy: within 60 s " + url + " gave no answer (");
    }

    @Test
    void aSocketThatAcceptsAConnectionIsEnough() throws IOException {
        Path socket = Files.createDirectories(root.resolve("run")).resolve("web.sock");
        try (ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.bind(UnixDomainSocketAddress.of(socket));
            assertThat(apply(new Check.Socket(Path.of("/run/web.sock"))).error())
                    .isEmpty();
            assertThat(box.ticker.passed()).isZero();
        }
    }

    /** A connect that blocks would never come back: no answer is ever taken out of the queue. */
    @Test
    @Timeout(30)
    @SuppressWarnings("try")
    void aSocketWhoseQueueIsFullFailsWhenItsTimeIsOver() throws Exception {
        Path socket = Files.createDirectories(root.resolve("run")).resolve("web.sock");
        try (AutoCloseable full = UnixServer.full(socket)) {
            assertThat(apply(new Check.Socket(Path.of("/run/web.sock"))).error())
                    .startsWith("cannot take web as healthy: within 60 s " + socket
                            + " accepted no connection (its queue is full)");
            assertThat(box.ticker.passed()).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(63));
        }
    }

    @Test
    void aFileThatIsNoSocketIsNot() throws IOException {
        Path socket = Files.createDirectories(root.resolve("run")).resolve("web.sock");
        Files.createFile(socket);
        assertThat(apply(new Check.Socket(Path.of("/run/web.sock"))).error())
                .startsWith("cannot take web as healthy: within 60 s " + socket + " accepted no connection (");
    }

    @Test
    void aStopWhileItWaitsDecidesNothingAndTheNextApplyAsksAgain() {
        box.apply(ProcessDraft.of(bundle).build());
        bundle = box.bundles.publish("2", Map.of("bin/", "", "bin/app*", "x", "version", "2"));
        URI url = answering(503, 200);
        box.ticker.meanwhile = () -> box.stopping = true;
        assertThat(apply(new Check.Http(url)).error())
                .isEqualTo("cannot say whether web works: the host was asked to stop while it waited; the next apply"
                        + " looks again");
        assertThat(box.tree(".web.mesh-old")).isDirectory();
        box.stopping = false;
        box.ticker.meanwhile = () -> {};
        assertThat(apply(new Check.Http(url)).error()).isEmpty();
        assertThat(box.tree("web").resolve("version")).hasContent("2");
        assertThat(box.tree(".web.mesh-old")).doesNotExist();
        assertThat(asked).hasValue(2);
        assertThat(box.services.running()).containsExactly("web.service");
    }
}
