package io.meshhost.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhost.machine.Progress;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is fetched is kept by its digest, once, and pruned. */
class ContentStoreTest extends ServedFixture {
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

    // BU-04
    @Test
    void spaceIsCheckedBeforeTheFirstByte() {
        URI source = at("/huge", (exchange, time) -> {
            exchange.sendResponseHeaders(200, 1L << 60);
            exchange.getResponseBody().write(BYTES);
        });
        fails(source, "the disk is too full: it needs 1048576.0 TiB");
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
}
