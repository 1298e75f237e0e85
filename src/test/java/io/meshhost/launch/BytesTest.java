package io.meshhost.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.machine.Probe;
import io.meshhost.machine.testing.PowerCut;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** By what bytes a version is known. */
class BytesTest {
    @TempDir
    private Path root;

    private VersionsRoom room;
    private Path tree;

    @BeforeEach
    void aVersion() throws IOException {
        room = new VersionsRoom(root).deliver("a", "#!/bin/sh\n", 100);
        tree = room.versions().resolve("a");
        Files.createDirectory(tree.resolve("lib"));
        Files.writeString(tree.resolve("lib/x.jar"), "jar");
        Files.createSymbolicLink(tree.resolve("current"), Path.of("lib"));
    }

    private Bytes bytes() {
        return room.ledger(Probe.NONE).bytes();
    }

    private String digest() {
        return TreeDigest.of(tree, room.files(Probe.NONE));
    }

    @Test
    void aTreeIsKnownByItsNamesModesBytesAndLinksAndByNoTime() throws IOException {
        String before = digest();
        assertThat(before).matches("sha256:[0-9a-f]{64}");
        Files.setLastModifiedTime(tree.resolve("lib/x.jar"), FileTime.fromMillis(0));
        assertThat(digest()).isEqualTo(before);
        Files.setPosixFilePermissions(tree.resolve("lib/x.jar"), PosixFilePermissions.fromString("rwx------"));
        String mode = digest();
        Files.writeString(tree.resolve("lib/x.jar"), "jaR");
        String content = digest();
        Files.delete(tree.resolve("current"));
        Files.createSymbolicLink(tree.resolve("current"), Path.of("elsewhere"));
        String link = digest();
        Files.move(tree.resolve("lib/x.jar"), tree.resolve("lib/y.jar"));
        String name = digest();
        assertThat(List.of(before, mode, content, link, name)).doesNotHaveDuplicates();
    }

    @Test
    void aTreeOfTheSameFilesElsewhereIsTheSame() throws IOException {
        room.deliver("b", "#!/bin/sh\n", 7);
        Path other = room.versions().resolve("b");
        Files.createDirectory(other.resolve("lib"));
        Files.writeString(other.resolve("lib/x.jar"), "jar");
        Files.createSymbolicLink(other.resolve("current"), Path.of("lib"));
        assertThat(TreeDigest.of(other, room.files(Probe.NONE))).isEqualTo(digest());
    }

    @Test
    void itIsComputedOnceAndRemembered() {
        String first = bytes().of(tree, "a");
        PowerCut trace = PowerCut.never();
        String second = room.ledger(trace).bytes().of(tree, "a");
        assertThat(second).isEqualTo(first).isEqualTo(digest());
        assertThat(room.read("version-digests")).matches("sha256:[0-9a-f]{64} [0-9.]+ a\n");
        assertThat(trace.trace()).isEmpty();
    }

    @Test
    void oneThatWasDeliveredIsKnownByItsArchive() {
        bytes().delivered("a", tree, "sha256:archive");
        assertThat(bytes().of(tree, "a")).isEqualTo("sha256:archive");
        assertThat(bytes().all(tree, "a")).containsExactly("sha256:archive", digest());
    }

    @Test
    void otherBytesUnderTheNameAreNotWhatWasRemembered() throws IOException {
        bytes().delivered("a", tree, "sha256:archive");
        Files.delete(tree.resolve("nox-mesh-host"));
        room.deliver("a", "#!/bin/sh\n# other\n", 100);
        assertThat(bytes().of(tree, "a")).isEqualTo(digest());
    }

    @Test
    void aDigestListThatIsGarbageIsComputedAnew() {
        room.write("version-digests", "\u0000\nsha256:x a\nsha256:x 1.1\n\n");
        assertThat(bytes().of(tree, "a")).isEqualTo(digest());
    }

    @Test
    void whatIsNotThereAnyMoreIsForgotten() {
        Bytes bytes = bytes();
        bytes.of(tree, "a");
        bytes.keepOnly(List.of());
        assertThat(room.read("version-digests")).isEmpty();
    }
}
