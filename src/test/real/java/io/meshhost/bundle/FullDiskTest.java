package io.meshhost.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.meshhost.machine.Progress;
import io.meshhost.testing.Needs;
import io.meshhost.testing.Shell;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** BU-04: a disk of 4 MiB that is too small, and then is not. */
@Tag("root")
class FullDiskTest {
    @TempDir
    Path dir;

    private Path disk;
    private Bench bench;
    private Bench onDisk;

    @BeforeEach
    void aSmallDisk() throws Exception {
        Needs.root();
        dir = dir.toRealPath();
        disk = Files.createDirectory(dir.resolve("disk"));
        Shell.must("mount", "-t", "tmpfs", "-o", "size=4m,mode=755", "none", disk.toString());
        bench = new Bench(dir);
        onDisk = new Bench(disk);
    }

    @AfterEach
    void unmount() throws Exception {
        bench.close();
        onDisk.close();
        Shell.must("umount", disk.toString());
    }

    private String archive(String fill) {
        bench.sh("umask 022; rm -rf src a; mkdir src; " + fill + "; tar -C src -czf a .");
        return bench.files.sha256(dir.resolve("a"));
    }

    private Path fetch(URI source, String sha256) {
        return onDisk.store.fetch(source, sha256, Progress.NONE);
    }

    private void unpack(Path archive) {
        onDisk.store.unpack(archive, 0, disk.resolve("fresh"), Bench.self(), Progress.NONE);
    }

    private void running() {
        onDisk.sh("mkdir running; printf old > running/app");
    }

    private void theRunningVersionIsUntouched() {
        assertThat(Bench.tree(disk.resolve("running"))).containsOnlyKeys("app");
        assertThat(disk.resolve("running/app")).hasContent("old");
    }

    @Test
    void aBundleThatDoesNotFitIsRefusedBeforeAByteIsWritten() {
        String sha256 = archive("head -c 5M /dev/urandom > src/data");
        running();
        assertThatThrownBy(() -> fetch(dir.resolve("a").toUri(), sha256))
                .isInstanceOf(BundleFailure.class)
                .hasMessageMatching("cannot fetch " + dir.resolve("a") + ": the disk is too full: it needs 5\\.0 MiB, "
                        + disk.resolve("bundles") + " has [34]\\.. MiB; free some space and apply again");
        assertThat(onDisk.files.list(disk.resolve("bundles/sha256"))).isEmpty();
        theRunningVersionIsUntouched();
    }

    @Test
    void oneOfUnknownSizeEndsWhenTheDiskIsFullAndLeavesNothing() throws Exception {
        String sha256 = archive("head -c 5M /dev/urandom > src/data");
        running();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream body = exchange.getResponseBody()) {
                Files.copy(dir.resolve("a"), body);
            } catch (IOException e) {
                // The client has hung up, as it should.
                exchange.close();
            }
        });
        server.start();
        try {
            URI source = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/a");
            assertThatThrownBy(() -> fetch(source, sha256))
                    .isInstanceOf(BundleFailure.class)
                    .hasMessageMatching(
                            "cannot write .*: the disk is full \\([0-9]+ bytes left\\); free some space and apply again");
        } finally {
            server.stop(0);
        }
        assertThat(onDisk.files.list(disk.resolve("bundles/sha256"))).isEmpty();
        theRunningVersionIsUntouched();
    }

    @Test
    void whatGrowsBeyondTheDiskIsRefusedAndNothingOfItStays() {
        String sha256 = archive("head -c 1M /dev/zero > src/1; head -c 5M /dev/zero > src/2");
        running();
        Path blob = fetch(dir.resolve("a").toUri(), sha256);
        assertThatThrownBy(() -> unpack(blob))
                .isInstanceOf(BundleFailure.class)
                .hasMessageMatching("cannot unpack " + blob + ": the disk is too full: it needs at least [56]\\.0 MiB, "
                        + disk.resolve("fresh") + " has [34]\\.. MiB; free some space and apply again");
        assertThat(disk.resolve("fresh")).doesNotExist();
        theRunningVersionIsUntouched();
    }

    @Test
    void manySmallFilesThatTakeMoreThanTheirBytesEndTheSameWay() {
        String sha256 = archive("for i in $(seq 1500); do printf x > src/$i; done");
        running();
        Path blob = fetch(dir.resolve("a").toUri(), sha256);
        assertThatThrownBy(() -> unpack(blob))
                .isInstanceOf(BundleFailure.class)
                .hasMessageContaining("the disk is full")
                .hasMessageEndingWith("; free some space and apply again");
        assertThat(disk.resolve("fresh")).doesNotExist();
        theRunningVersionIsUntouched();
    }

    @Test
    void onceThereIsSpaceTheSameCallsSucceed() {
        String sha256 = archive("head -c 1500000 /dev/urandom > src/data");
        onDisk.sh("head -c 3M /dev/zero > filler");
        assertThatThrownBy(() -> fetch(dir.resolve("a").toUri(), sha256)).hasMessageContaining("the disk is too full");
        onDisk.sh("rm filler; head -c 1500K /dev/zero > filler");
        Path blob = fetch(dir.resolve("a").toUri(), sha256);
        assertThatThrownBy(() -> unpack(blob)).hasMessageContaining("the disk is too full");
        assertThat(disk.resolve("fresh")).doesNotExist();
        onDisk.sh("rm filler");
        unpack(blob);
        assertThat(Bench.tree(disk.resolve("fresh"))).isEqualTo(Bench.tree(dir.resolve("src")));
    }
}
