package io.meshhost.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Fetching from a server on this machine that behaves badly in each way that servers do. */
class SourcesTest extends ServedFixture {
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

    @Test
    void waitingDoublesAndIsSpread() {
        Sources.Patience patience = Sources.Patience.USUAL;
        assertThat(patience.delay(1, 0)).isEqualTo(Duration.ofMillis(500));
        assertThat(patience.delay(1, 1)).isEqualTo(Duration.ofSeconds(1));
        assertThat(patience.delay(3, 1)).isEqualTo(Duration.ofSeconds(4));
    }
}
