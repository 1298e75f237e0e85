package io.meshhost.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhost.machine.Files.Attributes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A file is written whole or not at all, with its mode, whatever stands in its place. */
class FilesWriteTest extends FilesFixture {
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
    void aMissingParentIsNamed() {
        assertThatThrownBy(() -> files.write(dir.resolve("a/b"), bytes("x"), Attributes.kept()))
                .hasMessage("cannot write " + dir.resolve("a/b") + ": the directory " + dir.resolve("a")
                        + " does not exist");
    }
}
