package io.meshhost.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhost.machine.Progress;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Archives that mean harm: each is refused in one sentence, and nothing of it is left, inside or outside. */
class HostileArchiveTest {
    @TempDir
    Path dir;

    private Bench bench;

    @BeforeEach
    void outside() throws IOException {
        bench = new Bench(dir, new Limits(50 << 20, 1_000, 100, 1 << 20));
        Files.writeString(dir.resolve("victim"), "untouched");
    }

    @AfterEach
    void nothingIsLeft() {
        bench.close();
        assertThat(dir.resolve("victim")).hasContent("untouched");
    }

    private void isRefused(byte[] archive, String why) throws IOException {
        Files.write(dir.resolve("a"), archive);
        Map<String, String> before = Bench.tree(dir);
        assertThatThrownBy(
                        () -> bench.store.unpack(dir.resolve("a"), 0, dir.resolve("app"), Bench.self(), Progress.NONE))
                .isInstanceOf(BundleFailure.class)
                .hasMessageContaining(why);
        assertThat(Bench.tree(dir)).isEqualTo(before);
        assertThatThrownBy(() -> bench.store.list(dir.resolve("a"), 0))
                .isInstanceOf(BundleFailure.class)
                .hasMessageContaining(why);
    }

    /** Writes entries as they are asked for, with none of the library's care. */
    private static final class Tar {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final TarArchiveOutputStream out = new TarArchiveOutputStream(bytes, "UTF-8");

        Tar() {
            out.setLongFileMode(TarArchiveOutputStream.LONGFILE_GNU);
        }

        Tar file(String name, String content) throws IOException {
            return file(name, content, 0644);
        }

        Tar file(String name, String content, int mode) throws IOException {
            byte[] data = content.getBytes(StandardCharsets.UTF_8);
            TarArchiveEntry entry = new TarArchiveEntry(name, TarConstants.LF_NORMAL, true);
            entry.setSize(data.length);
            entry.setMode(mode);
            out.putArchiveEntry(entry);
            out.write(data);
            out.closeArchiveEntry();
            return this;
        }

        Tar other(String name, byte kind, String link, int mode) throws IOException {
            TarArchiveEntry entry = new TarArchiveEntry(name, kind, true);
            entry.setLinkName(link);
            entry.setMode(mode);
            out.putArchiveEntry(entry);
            out.closeArchiveEntry();
            return this;
        }

        Tar symlink(String name, String target) throws IOException {
            return other(name, TarConstants.LF_SYMLINK, target, 0777);
        }

        Tar hardLink(String name, String target) throws IOException {
            return other(name, TarConstants.LF_LINK, target, 0644);
        }

        byte[] done() throws IOException {
            out.finish();
            return bytes.toByteArray();
        }
    }

    // AR-01
    @Test
    void aLinkAndThenAFileOfTheSameName() throws IOException {
        isRefused(new Tar().symlink("x", "y").file("x", "evil").done(), "another entry has the same name");
        isRefused(new Tar().symlink("x", dir + "/victim").file("x", "evil").done(), "it points outside");
    }

    // AR-02
    @Test
    void aLinkToADirectoryAndThenAChildOfIt() throws IOException {
        isRefused(new Tar().symlink("d", "../../out").file("d/evil", "x").done(), "passes through the symbolic link d");
        isRefused(new Tar().file("d/evil", "x").symlink("d", "e").done(), "another entry has the same name");
        isRefused(new Tar().symlink("d", "..").done(), "it points outside");
    }

    @Test
    void aLinkThatLeadsOutByAnotherLink() throws IOException {
        isRefused(
                new Tar()
                        .symlink("p/q/d", "../..")
                        .symlink("x", "p/q/d/../victim")
                        .done(),
                "it points outside, to p/q/d/../victim");
        isRefused(new Tar().symlink("a", "b/../../..").symlink("b", "c/d").done(), "it points outside");
    }

    @Test
    void linksInACircleAreHarmless() throws IOException {
        Files.write(
                dir.resolve("a"), new Tar().symlink("x", "y").symlink("y", "x").done());
        assertThat(bench.store.unpack(dir.resolve("a"), 0, dir.resolve("app"), Bench.self(), Progress.NONE))
                .hasSize(2);
    }

    // AR-04
    @Test
    void aHardLinkToOutside() throws IOException {
        isRefused(new Tar().hardLink("x", "../../../etc/shadow").done(), "it climbs out");
        isRefused(new Tar().hardLink("x", "/etc/shadow").done(), "it is absolute");
        isRefused(new Tar().hardLink("x", "pom.xml").done(), "which is no earlier file of the archive");
        isRefused(new Tar().hardLink("x", "later").file("later", "x").done(), "which is no earlier file");
        isRefused(new Tar().symlink("l", "x").hardLink("y", "l").done(), "which is no earlier file");
        isRefused(new Tar().hardLink("x", "x").done(), "which is no earlier file");
    }

    // AR-06
    @Test
    void aNameThatClimbsOutOrIsAbsolute() throws IOException {
        isRefused(new Tar().file("../app-evil/x", "x").done(), "it climbs out (../app-evil/x)");
        isRefused(new Tar().file("a/../../x", "x").done(), "it climbs out");
        isRefused(new Tar().file("a/..", "x").done(), "it climbs out");
        isRefused(new Tar().file("/etc/x", "x").done(), "it is absolute");
        isRefused(new Tar().file("/" + "long/".repeat(40) + "x", "x").done(), "it is absolute");
    }

    @Test
    void aLongAbsoluteNameInAPaxHeader() {
        bench.sh("mkdir -p d/" + "n".repeat(150) + "; printf x > d/" + "n".repeat(150)
                + "/f; tar -P --format=pax --transform='s,^d,/d,' -cf b d");
        assertThatThrownBy(() -> bench.store.list(dir.resolve("b"), 0))
                .isInstanceOf(BundleFailure.class)
                .hasMessageContaining("it is absolute");
    }

    // AR-07
    @Test
    void setuidAndSetgid() throws IOException {
        isRefused(new Tar().file("x", "x", 04755).done(), "it carries setuid or setgid");
        isRefused(new Tar().file("x", "x", 02755).done(), "it carries setuid or setgid");
        isRefused(new Tar().other("d/", TarConstants.LF_DIR, "", 02755).done(), "it carries setuid or setgid");
    }

    // AR-07
    @Test
    void devicesAndFifos() throws IOException {
        isRefused(new Tar().other("x", TarConstants.LF_CHR, "", 0600).done(), "it is a device node");
        isRefused(new Tar().other("x", TarConstants.LF_BLK, "", 0600).done(), "it is a device node");
        isRefused(new Tar().other("x", TarConstants.LF_FIFO, "", 0600).done(), "it is a fifo");
        isRefused(new Tar().other("x", (byte) 'Z', "", 0600).done(), "it is of an unknown kind");
    }

    @Test
    void namesThatCollide() throws IOException {
        isRefused(new Tar().file("x", "1").file("x", "2").done(), "another entry has the same name");
        isRefused(new Tar().file("x", "1").file("./x", "2").done(), "another entry has the same name");
        isRefused(new Tar().file("x", "1").file("x/y", "2").done(), "it passes through the file x");
        isRefused(new Tar().file("x/y", "1").file("x", "2").done(), "another entry has the same name");
    }

    @Test
    void namesThatAreNotUtf8() throws IOException {
        byte[] tar = new Tar().file("caf?", "x").done();
        tar[3] = (byte) 0xe9;
        fixSum(tar);
        isRefused(tar, "its name holds a NUL or is not UTF-8");
    }

    private static void fixSum(byte[] tar) {
        java.util.Arrays.fill(tar, 148, 156, (byte) ' ');
        int sum = 0;
        for (int i = 0; i < 512; i++) {
            sum += tar[i] & 0xff;
        }
        byte[] octal = String.format(java.util.Locale.ROOT, "%06o\0 ", sum).getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(octal, 0, tar, 148, 8);
    }

    @Test
    void aBombOfZeros() {
        bench.sh("truncate -s 40M zeros; tar -czf a zeros; rm zeros");
        assertThatThrownBy(
                        () -> bench.store.unpack(dir.resolve("a"), 0, dir.resolve("app"), Bench.self(), Progress.NONE))
                .isInstanceOf(BundleFailure.class)
                .hasMessageContaining("it grows to more than 100 times its size");
        assertThat(dir.resolve("app")).doesNotExist();
    }

    @Test
    void aBombOfSize() {
        bench.sh("head -c 60M /dev/urandom > r; tar -cf a r; rm r");
        assertThatThrownBy(() -> bench.store.list(dir.resolve("a"), 0))
                .isInstanceOf(BundleFailure.class)
                .hasMessageContaining("it holds more than 50.0 MiB");
    }

    @Test
    void aBombOfEntries() throws IOException {
        Tar tar = new Tar();
        for (int i = 0; i < 1_001; i++) {
            tar.file("f" + i, "");
        }
        isRefused(tar.done(), "it holds more than 1000 entries");
    }

    @Test
    void aBombOfZerosInAZip() {
        bench.sh("truncate -s 40M zeros; zip -q a zeros; rm zeros; mv a.zip a");
        assertThatThrownBy(
                        () -> bench.store.unpack(dir.resolve("a"), 0, dir.resolve("app"), Bench.self(), Progress.NONE))
                .isInstanceOf(BundleFailure.class)
                .hasMessageContaining("it grows to more than 100 times its size");
        assertThat(dir.resolve("app")).doesNotExist();
    }

    @Test
    void aNameOfManyMegabytesIsNotTakenIntoMemory() throws IOException {
        Tar tar = new Tar();
        tar.file("x", "x");
        byte[] bytes = tar.done();
        TarArchiveEntry name = new TarArchiveEntry("././@LongLink", TarConstants.LF_GNUTYPE_LONGNAME);
        name.setSize(20 << 20);
        byte[] header = new byte[512];
        name.writeEntryHeader(header);
        byte[] all = new byte[512 + (20 << 20) + bytes.length];
        System.arraycopy(header, 0, all, 0, 512);
        java.util.Arrays.fill(all, 512, 512 + (20 << 20), (byte) 'n');
        System.arraycopy(bytes, 0, all, 512 + (20 << 20), bytes.length);
        isRefused(all, "the headers of one entry are larger than 4.0 MiB");
    }

    // AR-09: a map that claims more bytes than the archive holds for the file.
    @Test
    void aCraftedSparseMap() throws IOException {
        bench.sh("truncate -s 1M s; printf data | dd of=s bs=1 seek=524288 conv=notrunc 2>/dev/null;"
                + " tar -S --format=gnu -cf b s; rm s");
        byte[] tar = Files.readAllBytes(dir.resolve("b"));
        Files.delete(dir.resolve("b"));
        // GNU old format: the first block's offset stands at 386, its length at 398, each 12 octal digits.
        System.arraycopy("00007777777\0".getBytes(StandardCharsets.US_ASCII), 0, tar, 398, 12);
        fixSum(tar);
        isRefused(tar, "");
    }

    @Test
    void aZipThatClimbsOutOrHoldsALinkToOutside() throws IOException {
        bench.sh("mkdir z; ln -s ../victim z/l; cd z; zip -q -y ../a.zip l; cd ..; rm -r z; mv a.zip b");
        byte[] link = Files.readAllBytes(dir.resolve("b"));
        isRefused(link, "it points outside, to ../victim");
        bench.sh(
                "mkdir z; printf evil > z/aaaa; cd z; zip -q ../a.zip aaaa; cd ..; rm -r z; mv a.zip b; sed -i 's,aaaa,../x,g' b");
        isRefused(Files.readAllBytes(dir.resolve("b")), "it climbs out (../x)");
    }
}
