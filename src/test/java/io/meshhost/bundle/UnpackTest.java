package io.meshhost.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhost.machine.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the system's packers make comes back as it was. */
class UnpackTest {
    @TempDir
    Path dir;

    private Bench bench;

    @BeforeEach
    void aTree() {
        bench = new Bench(dir);
        bench.sh("umask 022; mkdir -p src/bin src/empty src/deep/er; printf 'run' > src/bin/app; chmod 755 src/bin/app;"
                + " head -c 200000 /dev/urandom > src/deep/er/random; chmod 640 src/deep/er/random;"
                + " ln -s bin/app src/app; ln -s ../bin src/deep/bin; ln src/bin/app src/hard;"
                + " printf '' > src/nothing; printf 'x' > 'src/caf\u00e9 \u65e5\u672c.txt'; chmod 777 src/nothing");
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private List<Entry> unpack(String archive, int strip) {
        return bench.store.unpack(dir.resolve(archive), strip, dir.resolve("out"), Bench.self(), Progress.NONE);
    }

    @ParameterizedTest
    @CsvSource({
        "tar -cf a src",
        "tar -czf a src",
        "tar --zstd -cf a src",
        "tar -cJf a src",
        "tar --format=ustar -cf a src",
        "tar --format=pax -cf a src",
        "tar --format=gnu -cf a src",
        "tar --format=posix -czf a ./src",
        "'zip -q -r -y a.zip src; mv a.zip a'"
    })
    void everyKindOfArchiveGivesTheSameTree(String pack) {
        bench.sh(pack);
        List<Entry> entries = unpack("a", 1);
        assertThat(Bench.tree(dir.resolve("out"))).isEqualTo(Bench.tree(dir.resolve("src")));
        assertThat(entries)
                .extracting(e -> e.path().toString())
                .containsExactlyInAnyOrderElementsOf(
                        Bench.tree(dir.resolve("src")).keySet());
        assertThat(bench.store.list(dir.resolve("a"), 1)).isEqualTo(entries);
    }

    @Test
    void aHardLinkSharesItsInode() throws IOException {
        bench.sh("tar -cf a src");
        unpack("a", 1);
        assertThat(Files.getAttribute(dir.resolve("out/hard"), "unix:ino"))
                .isEqualTo(Files.getAttribute(dir.resolve("out/bin/app"), "unix:ino"));
    }

    @Test
    void longNamesComeBack() {
        String name = "n".repeat(120) + "/" + "m".repeat(200);
        bench.sh("mkdir -p src/" + name + "; printf y > src/" + name + "/f; ln -s " + "t".repeat(150) + " src/long");
        for (String format : List.of("gnu", "pax")) {
            bench.sh("rm -rf out; tar --format=" + format + " -cf a src");
            unpack("a", 1);
            assertThat(Bench.tree(dir.resolve("out"))).isEqualTo(Bench.tree(dir.resolve("src")));
        }
    }

    // AR-09
    @ParameterizedTest
    @ValueSource(
            strings = {
                "--format=gnu",
                "--format=pax --sparse-version=0.0",
                "--format=pax --sparse-version=0.1",
                "--format=pax --sparse-version=1.0"
            })
    void sparseFilesAreReadAsGnuTarReadsThem(String options) throws IOException {
        bench.sh("truncate -s 5M src/holes; printf middle | dd of=src/holes bs=1 seek=2000000 conv=notrunc 2>/dev/null;"
                + " truncate -s 1M src/hole; tar -S " + options + " -cf a src");
        unpack("a", 1);
        assertThat(Bench.tree(dir.resolve("out"))).isEqualTo(Bench.tree(dir.resolve("src")));
        assertThat(bench.sh("du -k out/holes | cut -f1").strip())
                .satisfies(k -> assertThat(Integer.parseInt(k)).isLessThan(1000));
    }

    @Test
    void strippingLeavesOutWhatHasNoMoreNames() {
        bench.sh("rm src/hard src/deep/bin; tar -cf a src");
        assertThat(bench.store.list(dir.resolve("a"), 2))
                .extracting(e -> e.path().toString())
                .contains("app", "er/random")
                .doesNotContain("bin", "nothing");
    }

    @Test
    void aLinkThatStrippingMakesPointOutsideIsRefused() {
        bench.sh("rm src/hard; tar -cf a src");
        assertThatThrownBy(() -> unpack("a", 2))
                .isInstanceOf(BundleFailure.class)
                .hasMessage(
                        "cannot unpack " + dir.resolve("a") + ": the entry bin may not be unpacked: it points outside,"
                                + " to ../bin; pack it again without that");
        assertThat(dir.resolve("out")).doesNotExist();
    }

    // AR-11: an archive whose directories are not listed gets them with the usual mode.
    @Test
    void directoriesThatAreNotListedAreMadeAndReported() {
        bench.sh("tar -cf a src/deep/er/random");
        assertThat(unpack("a", 0))
                .extracting(e -> e.path().toString())
                .containsExactly("src", "src/deep", "src/deep/er", "src/deep/er/random");
        assertThat(Bench.tree(dir.resolve("out"))).containsEntry("src/deep", "755 /");
    }

    // AR-07
    @Test
    void aClosedDirectoryIsLeftTraversableAndStickyIsDropped() throws IOException {
        bench.sh("mkdir src/closed src/sticky; printf a > src/closed/a; tar -C src --mode=0000 -cf a closed;"
                + " chmod 1777 src/sticky; tar -C src -rf a sticky");
        unpack("a", 0);
        assertThat(Files.getPosixFilePermissions(dir.resolve("out/closed/a"))).isEmpty();
        // So that whoever is not root can look at the rest.
        bench.sh("chmod 400 out/closed/a");
        assertThat(Bench.tree(dir.resolve("out")))
                .containsEntry("closed", "700 /")
                .containsEntry("sticky", "777 /");
    }

    @Test
    void aFolderThatIsThereIsNotTouched() throws IOException {
        bench.sh("tar -cf a src; mkdir out; printf mine > out/file");
        assertThatThrownBy(() -> unpack("a", 1))
                .isInstanceOf(BundleFailure.class)
                .hasMessageContaining("something is there already");
        assertThat(dir.resolve("out/file")).hasContent("mine");
    }

    @Test
    void anArchiveOfNothingIsAnEmptyFolder() {
        bench.sh("tar -cf a --files-from /dev/null");
        assertThat(unpack("a", 0)).isEmpty();
        assertThat(dir.resolve("out")).isEmptyDirectory();
    }

    @Test
    void whatIsNoArchiveIsSaidSo() {
        bench.sh("printf '<html>not found</html>' > a");
        assertThatThrownBy(() -> unpack("a", 0))
                .isInstanceOf(BundleFailure.class)
                .hasMessage(
                        "cannot unpack " + dir.resolve("a") + ": it is neither a tar (plain, gzip, zstd or xz) nor a"
                                + " zip archive; pack it as one of these");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tar -czf a src",
                "tar --zstd -cf a src",
                "tar -cJf a src",
                "tar -cf a src",
                "zip -q -r -y a.zip src; mv a.zip a"
            })
    void anArchiveCutShortLeavesNothing(String pack) {
        bench.sh(pack + "; truncate -s 100000 a");
        assertThatThrownBy(() -> unpack("a", 1))
                .isInstanceOf(BundleFailure.class)
                .hasMessageContaining("damaged or cut");
        assertThat(dir.resolve("out")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"tar -czf a src", "tar --zstd -cf a src", "tar -cJf a src", "zip -q -r -y a.zip src; mv a.zip a"
            })
    void aFlippedByteIsFoundByTheCheckSums(String pack) {
        bench.sh(pack + "; printf '\\125' | dd of=a bs=1 seek=90000 conv=notrunc 2>/dev/null;"
                + " printf '\\252' | dd of=a bs=1 seek=90001 conv=notrunc 2>/dev/null");
        assertThatThrownBy(() -> unpack("a", 1)).isInstanceOf(BundleFailure.class);
        assertThat(dir.resolve("out")).doesNotExist();
    }

    @Test
    void concatenatedGzipMembersAreOneArchive() {
        bench.sh("tar -cf b src; head -c 100000 b | gzip > a; tail -c +100001 b | gzip >> a");
        unpack("a", 1);
        assertThat(Bench.tree(dir.resolve("out"))).isEqualTo(Bench.tree(dir.resolve("src")));
    }

    // AR-11: modes do not depend on the umask of whoever runs this.
    @Test
    void theFolderItselfIsOpenToReaders() throws IOException {
        bench.sh("chmod 700 src; tar -C src -cf a .");
        unpack("a", 0);
        assertThat((int) Files.getAttribute(dir.resolve("out"), "unix:mode") & 07777)
                .isEqualTo(0755);
    }
}
