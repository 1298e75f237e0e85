package io.meshhost.machine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhost.machine.Files.Attributes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilesTest {
    @TempDir
    Path dir;

    private Files files;

    @BeforeEach
    void open() throws IOException {
        dir = dir.toRealPath();
        files = new Files(dir, Probe.NONE);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private String text(Path path) {
        return new String(files.read(path, 1 << 20), UTF_8);
    }

    private int mode(Path path) {
        return files.stat(path).orElseThrow().mode();
    }

    @Test
    void aNewFileHasItsContentAndTheDefaultMode() {
        Path file = dir.resolve("a.conf");
        files.write(file, bytes("hello\n"), Attributes.kept());
        assertThat(text(file)).isEqualTo("hello\n");
        assertThat(mode(file)).isEqualTo(0644);
        assertThat(files.list(dir)).containsExactly(file);
    }

    @Test
    void aDeclaredModeIsSetWhateverTheUmaskOrTheOldMode() { // FI-02
        Path file = dir.resolve("a");
        files.write(file, bytes("1"), Attributes.mode(0600));
        assertThat(mode(file)).isEqualTo(0600);
        files.write(file, bytes("2"), Attributes.mode(0666));
        assertThat(mode(file)).isEqualTo(0666);
        files.write(file, bytes("3"), Attributes.mode(0400));
        files.write(file, bytes("4"), Attributes.kept());
        assertThat(mode(file)).isEqualTo(0400);
        assertThat(text(file)).isEqualTo("4");
    }

    @Test
    void anEmptyFileAndALargeOneAreWrittenWhole() {
        Path file = dir.resolve("big");
        byte[] big = new byte[1_000_003];
        for (int i = 0; i < big.length; i++) {
            big[i] = (byte) (i * 31);
        }
        files.write(file, big, Attributes.kept());
        assertThat(files.read(file, 2_000_000)).isEqualTo(big);
        files.write(file, new byte[0], Attributes.kept());
        assertThat(files.stat(file).orElseThrow().size()).isZero();
        assertThat(files.list(dir)).containsExactly(file);
    }

    @Test
    void aLinkAtThePathIsReplacedAndItsTargetStaysAsItWas() throws IOException { // FI-01
        Path target = dir.resolve("target");
        Path link = dir.resolve("link");
        files.write(target, bytes("old"), Attributes.kept());
        files.symlink(link, "target");
        files.write(link, bytes("new"), Attributes.kept());
        assertThat(text(target)).isEqualTo("old");
        assertThat(text(link)).isEqualTo("new");
        assertThat(files.stat(link).orElseThrow().isFile()).isTrue();
    }

    @Test
    void aDanglingLinkAndALoopAreReplacedToo() {
        Path loop = dir.resolve("loop");
        files.symlink(loop, "loop");
        files.write(loop, bytes("x"), Attributes.kept());
        Path dangling = dir.resolve("dangling");
        files.symlink(dangling, "/nowhere/at/all");
        files.write(dangling, bytes("y"), Attributes.kept());
        assertThat(text(loop) + text(dangling)).isEqualTo("xy");
    }

    @Test
    void aHardLinkIsBrokenAndItsOtherNameKeepsTheOldContent() throws IOException { // FI-04
        Path one = dir.resolve("one");
        Path two = dir.resolve("two");
        files.write(one, bytes("old"), Attributes.kept());
        java.nio.file.Files.createLink(two, one);
        assertThat(files.stat(one).orElseThrow().links()).isEqualTo(2);
        files.write(one, bytes("new"), Attributes.kept());
        assertThat(text(two)).isEqualTo("old");
        assertThat(files.stat(one).orElseThrow().links()).isEqualTo(1);
    }

    @Test
    void aDirectoryInTheWayIsNamedAndStays() {
        Path path = dir.resolve("d");
        files.makeDirectory(path, Attributes.kept());
        assertThatThrownBy(() -> files.write(path, bytes("x"), Attributes.kept()))
                .isInstanceOf(MachineFailure.class)
                .hasMessage("cannot write " + path + ": it is a directory; remove it, or declare another path");
        assertThat(mode(path)).isEqualTo(0755);
    }

    @Test
    void aNameOf255BytesIsWrittenAndOneOf256IsRefusedInWords() {
        Path longest = dir.resolve("é".repeat(127) + "x");
        files.write(longest, bytes("x"), Attributes.kept());
        files.write(longest, bytes("y"), Attributes.kept());
        assertThat(text(longest)).isEqualTo("y");
        assertThat(files.list(dir)).containsExactly(longest);
        assertThatThrownBy(() -> files.write(dir.resolve("x".repeat(256)), bytes("x"), Attributes.kept()))
                .hasMessageContaining("longer than the 255 bytes");
    }

    @Test
    void namesArePlainBytesWithSpacesNewlinesAndOtherScripts() {
        for (String name : List.of("ünï çødé", "新しい", "two words", "new\nline", "-rf", "*", "a\\b", "'q\"")) {
            Path file = dir.resolve(name);
            files.write(file, bytes(name), Attributes.kept());
            files.write(file, bytes(name + "!"), Attributes.kept());
            assertThat(text(file)).isEqualTo(name + "!");
        }
        assertThat(files.list(dir)).hasSize(8).isSorted();
    }

    @Test
    void aPathThatIsNotNormalOrLeavesTheRootIsRefused() {
        assertThatThrownBy(() -> files.write(Path.of(dir + "/../escaped"), bytes("x"), Attributes.kept()))
                .hasMessageContaining("it is not a normal path under " + dir);
        assertThatThrownBy(() -> files.delete(dir)).hasMessageContaining("not a normal path under");
        assertThat(dir.resolveSibling("escaped")).doesNotExist();
    }

    @Test
    void aStreamThatBreaksLeavesTheOldFileAndNothingElse() {
        Path file = dir.resolve("f");
        files.write(file, bytes("old"), Attributes.kept());
        InputStream broken = new InputStream() {
            private int given;

            @Override
            public int read() throws IOException {
                if (given++ < 10) {
                    return 'x';
                }
                throw new IOException("the network went away");
            }

            @Override
            public int read(byte[] into, int from, int most) throws IOException {
                into[from] = (byte) read();
                return 1;
            }
        };
        assertThatThrownBy(() -> files.write(file, broken, Attributes.kept()))
                .isInstanceOf(IOException.class)
                .hasMessage("the network went away");
        assertThat(text(file)).isEqualTo("old");
        assertThat(files.list(dir)).containsExactly(file);
    }

    @Test
    void aStreamIsWrittenAsItComes() throws IOException {
        Path file = dir.resolve("f");
        files.write(file, new ByteArrayInputStream(bytes("streamed")), Attributes.mode(0640));
        assertThat(text(file)).isEqualTo("streamed");
        assertThat(files.sha256(file)).isEqualTo("97a78c00831554f7cc9745e8f6732edcfb571cf548a8d12b48a6e3fc31e5e3e6");
    }

    @Test
    void aLeftoverOfAnEarlierWriteDoesNotStopTheNext() {
        Path file = dir.resolve("f");
        files.makeDirectory(dir.resolve(".f.mesh-new"), Attributes.kept());
        files.write(dir.resolve(".f.mesh-new").resolve("new"), bytes("half"), Attributes.kept());
        files.write(file, bytes("whole"), Attributes.kept());
        assertThat(files.list(dir)).containsExactly(file);
    }

    @Test
    void readingSaysWhyItCannot() {
        Path file = dir.resolve("f");
        assertThatThrownBy(() -> files.read(file, 10)).hasMessage("cannot read " + file + ": it does not exist");
        files.write(file, bytes("12345678901"), Attributes.kept());
        assertThatThrownBy(() -> files.read(file, 10))
                .hasMessage("cannot read " + file + ": it is larger than 10 bytes");
        assertThat(files.read(file, 11)).hasSize(11);
        assertThatThrownBy(() -> files.read(dir, 10)).hasMessage("cannot read " + dir + ": it is not a regular file");
    }

    @Test
    void whatIsAbsentIsEmptyEvenBelowAFile() {
        Path file = dir.resolve("f");
        files.write(file, bytes("x"), Attributes.kept());
        assertThat(files.stat(dir.resolve("absent/deeper"))).isEmpty();
        assertThat(files.stat(file.resolve("below"))).isEmpty();
        assertThat(files.list(dir.resolve("absent"))).isEmpty();
        assertThat(files.readLink(file)).isEmpty();
    }

    @Test
    void missingParentsAreGivenOutermostFirst() {
        assertThat(files.missingParents(dir.resolve("a/b/c"))).containsExactly(dir.resolve("a"), dir.resolve("a/b"));
        files.makeDirectory(dir.resolve("a"), Attributes.kept());
        assertThat(files.missingParents(dir.resolve("a/b/c"))).containsExactly(dir.resolve("a/b"));
        assertThat(files.missingParents(dir.resolve("a/b"))).isEmpty();
    }

    @Test
    void makingADirectoryTwiceIsMakingItOnce() {
        Path path = dir.resolve("d");
        files.makeDirectory(path, Attributes.mode(0711));
        files.makeDirectory(path, Attributes.mode(0700));
        assertThat(mode(path)).isEqualTo(0711);
        files.change(path, Attributes.mode(01777));
        assertThat(mode(path)).isEqualTo(01777);
    }

    @Test
    void aMissingParentIsNamed() {
        assertThatThrownBy(() -> files.write(dir.resolve("a/b"), bytes("x"), Attributes.kept()))
                .hasMessage("cannot write " + dir.resolve("a/b") + ": the directory " + dir.resolve("a")
                        + " does not exist");
    }

    @Test
    void movingReplacesAFileAndIsRememberedByNobody() {
        Path from = dir.resolve("from");
        Path to = dir.resolve("to");
        files.makeDirectory(from, Attributes.kept());
        files.write(from.resolve("f"), bytes("x"), Attributes.kept());
        files.move(from, to);
        assertThat(text(to.resolve("f"))).isEqualTo("x");
        assertThatThrownBy(() -> files.write(from.resolve("f"), bytes("y"), Attributes.kept()))
                .hasMessageContaining("does not exist");
    }

    @Test
    void deletingWhatIsNotThereIsNothing() {
        files.delete(dir.resolve("absent/deeper"));
        files.deleteTree(dir.resolve("absent"));
        assertThat(files.list(dir)).isEmpty();
    }

    @Test
    void aDirectoryThatIsNotEmptyIsNotDeleted() {
        Path file = dir.resolve("d/f");
        files.makeDirectory(dir.resolve("d"), Attributes.kept());
        files.write(file, bytes("x"), Attributes.kept());
        assertThatThrownBy(() -> files.delete(dir.resolve("d")))
                .hasMessage("cannot remove " + dir.resolve("d") + ": the directory is not empty");
        assertThat(text(file)).isEqualTo("x");
    }

    @Test
    void aTreeIsRemovedWithItsReadOnlyDirectoriesAndNoLinkInItIsFollowed() {
        Path outside = dir.resolve("outside");
        Path tree = dir.resolve("tree");
        files.makeDirectory(outside, Attributes.kept());
        files.write(outside.resolve("precious"), bytes("x"), Attributes.kept());
        files.makeDirectory(tree, Attributes.kept());
        files.makeDirectory(tree.resolve("sub"), Attributes.kept());
        files.write(tree.resolve("sub/f"), bytes("x"), Attributes.kept());
        files.symlink(tree.resolve("sub/link"), outside.toString());
        files.change(tree.resolve("sub"), Attributes.mode(0555));
        files.deleteTree(tree);
        assertThat(files.stat(tree)).isEqualTo(Optional.empty());
        assertThat(text(outside.resolve("precious"))).isEqualTo("x");
    }

    @Test
    void changingALinksModeIsRefusedAndItsTargetUntouched() {
        Path target = dir.resolve("target");
        files.write(target, bytes("x"), Attributes.mode(0600));
        files.symlink(dir.resolve("link"), "target");
        assertThatThrownBy(() -> files.change(dir.resolve("link"), Attributes.mode(0777)))
                .hasMessageContaining("it is a symbolic link");
        assertThat(mode(target)).isEqualTo(0600);
    }

    @Test
    void statGivesNanosecondsAndTheOwner() throws IOException {
        Path file = dir.resolve("f");
        files.write(file, bytes("x"), Attributes.kept());
        java.nio.file.Files.setLastModifiedTime(
                file,
                java.nio.file.attribute.FileTime.from(java.time.Instant.ofEpochSecond(1_700_000_000L, 123_456_789)));
        Stat stat = files.stat(file).orElseThrow();
        assertThat(stat.modifiedNanos()).isEqualTo(1_700_000_000_123_456_789L);
        assertThat(stat.uid()).isEqualTo(Self.read().uid());
        assertThat(stat.changedNanos()).isGreaterThan(stat.modifiedNanos());
    }
}
