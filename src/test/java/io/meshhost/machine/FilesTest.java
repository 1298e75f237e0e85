package io.meshhost.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhost.machine.Files.Attributes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Looking, directories, moving and removing. */
class FilesTest extends FilesFixture {
    @Test
    void aPathThatIsNotNormalOrLeavesTheRootIsRefused() {
        assertThatThrownBy(() -> files.write(Path.of(dir + "/../escaped"), bytes("x"), Attributes.kept()))
                .hasMessageContaining("it is not a normal path under " + dir);
        assertThatThrownBy(() -> files.delete(dir)).hasMessageContaining("not a normal path under");
        assertThat(dir.resolveSibling("escaped")).doesNotExist();
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
