package io.meshhost.apply;

import static io.meshhost.apply.testing.Declared.directory;
import static io.meshhost.apply.testing.Declared.file;
import static io.meshhost.apply.testing.Declared.machine;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.apply.testing.Declared;
import io.meshhost.apply.testing.Rig;
import io.meshhost.declaration.Declaration;
import io.meshhost.declaration.Head;
import io.meshhost.declaration.Resource.Content;
import io.meshhost.declaration.Resource.DirectoryResource;
import io.meshhost.declaration.Resource.FileResource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileKindTest {
    @TempDir
    Path base;

    private Rig rig;

    @BeforeEach
    void machineIsThere() {
        rig = new Rig(base);
    }

    @AfterEach
    void recordIsClosed() {
        rig.close();
    }

    private String mode(String path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(rig.path(path), LinkOption.NOFOLLOW_LINKS));
    }

    private void chmod(String path, String mode) throws IOException {
        Files.setPosixFilePermissions(rig.path(path), PosixFilePermissions.fromString(mode));
    }

    // FI-01
    @Test
    void aSymlinkIsReplacedNeverFollowedAndThePlanSaysSo() throws Exception {
        rig.write("/srv/shared/app.conf", "theirs");
        Files.createDirectories(rig.path("/etc"));
        Files.createSymbolicLink(rig.path("/etc/app.conf"), Path.of("/srv/shared/app.conf"));
        Files.createSymbolicLink(rig.path("/etc/loop"), Path.of("loop"));
        Declaration declaration = machine(file("a/x", "/etc/app.conf", "ours"), file("a/y", "/etc/loop", "ours"));
        assertThat(rig.plan(declaration).changes().getFirst().detail())
                .isEqualTo("replaces the symlink to /srv/shared/app.conf, which itself is left alone");
        assertThat(Rig.lines(rig.apply(declaration))).containsExactly("a/x updated", "a/y updated");
        assertThat(rig.text("/srv/shared/app.conf")).isEqualTo("theirs");
        assertThat(rig.text("/etc/app.conf")).isEqualTo("ours");
        assertThat(mode("/etc/app.conf")).isEqualTo("rw-r--r--");
        assertThat(rig.plan(declaration).pending()).isZero();
    }

    // FI-02
    @Test
    void theModeIsTheDeclaredOneElseTheOneThatWasThere() throws Exception {
        rig.write("/srv/a", "old");
        chmod("/srv/a", "rw-------");
        rig.write("/srv/b", "old");
        rig.write("/srv/c", "old");
        chmod("/srv/c", "rwxr-x---");
        rig.apply(machine(
                file("a/a", "/srv/a", "new", OptionalInt.of(0644)),
                file("a/b", "/srv/b", "new", OptionalInt.of(0600)),
                file("a/c", "/srv/c", "new"),
                file("a/d", "/srv/d", "new")));
        assertThat(List.of(mode("/srv/a"), mode("/srv/b"), mode("/srv/c"), mode("/srv/d")))
                .containsExactly("rw-r--r--", "rw-------", "rwxr-x---", "rw-r--r--");
    }

    // FI-04
    @Test
    void aHardLinkIsBrokenAndThatIsSaid() throws Exception {
        rig.write("/srv/a", "old");
        Files.createLink(rig.path("/srv/b"), rig.path("/srv/a"));
        Report report = rig.apply(machine(file("a/a", "/srv/a", "new!")));
        assertThat(report.outcomes().getFirst().detail())
                .isEqualTo("content: 3 -> 4 bytes; its other hard links keep the old content");
        assertThat(rig.text("/srv/b")).isEqualTo("old");
    }

    // FI-10
    @Test
    void aTouchedFileWithTheSameContentIsUnchangedAndNothingIsWritten() throws Exception {
        Declaration declaration = machine(file("a/a", "/srv/a", "text\r\nwithout end", OptionalInt.of(0640)));
        rig.apply(declaration);
        Files.setLastModifiedTime(rig.path("/srv/a"), FileTime.fromMillis(0));
        assertThat(Rig.lines(rig.apply(declaration))).containsExactly("a/a unchanged");
        assertThat(Files.getLastModifiedTime(rig.path("/srv/a"))).isEqualTo(FileTime.fromMillis(0));
    }

    @Test
    void driftOfContentAndModeIsMended() throws Exception {
        Declaration declaration = machine(file("a/a", "/srv/a", "text", OptionalInt.of(0644)));
        rig.apply(declaration);
        rig.write("/srv/a", "TEXT");
        assertThat(Rig.lines(rig.apply(declaration))).containsExactly("a/a updated");
        chmod("/srv/a", "rw-rw-rw-");
        Report report = rig.apply(declaration);
        assertThat(report.outcomes().getFirst().detail()).isEqualTo("mode 0666 -> 0644");
        rig.delete("/srv/a");
        assertThat(rig.apply(declaration).outcomes().getFirst().detail()).isEqualTo("it was gone: written anew");
        assertThat(rig.text("/srv/a")).isEqualTo("text");
    }

    @Test
    void aWriteWithinTheClockStepOfOursIsSeenThoughAllTimesAreEqual() throws Exception {
        rig.impatient();
        Declaration declaration = machine(file("a/a", "/srv/a", "text"));
        rig.apply(declaration);
        FileTime written = Files.getLastModifiedTime(rig.path("/srv/a"));
        Files.writeString(rig.path("/srv/a"), "TEXT");
        Files.setLastModifiedTime(rig.path("/srv/a"), written);
        assertThat(Rig.lines(rig.apply(declaration))).containsExactly("a/a updated");
    }

    // FI-11
    @Test
    void thePlanListsEveryChangeWithItsDiff() {
        rig.write("/srv/a", "one\ntwo\nthree\n");
        Plan plan = rig.plan(machine(
                file("a/a", "/srv/a", "one\n2\nthree\n"), file("a/b", "/srv/b", "b\n"), file("a/c", "/srv/c", "c\n")));
        assertThat(Rig.lines(plan)).containsExactly("a/a updated", "a/b created", "a/c created");
        assertThat(plan.changes().getFirst().diff().lines())
                .containsExactly("--- /srv/a", "+++ /srv/a", "@@ -1,3 +1,3 @@", " one", "-two", "+2", " three");
    }

    @Test
    void binaryContentIsToldByItsSize() throws Exception {
        Files.createDirectories(rig.path("/srv"));
        Files.write(rig.path("/srv/a"), new byte[] {0, 1, 2, (byte) 0xff});
        assertThat(rig.plan(machine(file("a/a", "/srv/a", "text")))
                        .changes()
                        .getFirst()
                        .diff()
                        .lines())
                .containsExactly("- 4 bytes", "+ 4 bytes");
    }

    @Test
    void aDiffIsMadeWhenItIsAskedForAndNeverOfALargeFile() {
        rig.write("/srv/a", "one\n");
        Declaration declaration = machine(file("a/a", "/srv/a", "two\n"));
        Diff diff = rig.plan(declaration).changes().getFirst().diff();
        rig.write("/srv/a", "since\n");
        assertThat(diff.lines()).contains("-since", "+two").doesNotContain("-one");
        rig.write("/srv/a", "x".repeat(300_000));
        assertThat(diff.lines()).singleElement().asString().startsWith("(cannot be shown: cannot read");
        assertThat(rig.plan(declaration).changes().getFirst().diff().lines())
                .containsExactly("(too large to show: 300000 -> 4 bytes)");
    }

    @Test
    void fetchedBytesAreWrittenAndKnownByTheirDigest() {
        String sha = rig.bundles().publish("bytes from outside");
        Declaration declaration = machine(Declared.fetched("a/a", "/srv/a", Declared.bytes(sha)));
        assertThat(Rig.lines(rig.apply(declaration))).containsExactly("a/a created");
        assertThat(rig.text("/srv/a")).isEqualTo("bytes from outside");
        assertThat(rig.plan(declaration).pending()).isZero();
        Report missing = rig.apply(machine(Declared.fetched("a/b", "/srv/b", Declared.bytes("0".repeat(64)))));
        assertThat(missing.outcomes().getFirst().error()).contains("it does not answer");
        assertThat(rig.there("/srv/b")).isFalse();
    }

    @Test
    void whatWasTooLargeToKeepIsLeftAndSaid() {
        rig.write("/srv/a", "x".repeat(1024 * 1024 + 1));
        rig.apply(machine(file("a/a", "/srv/a", "small")));
        Report report = rig.apply(machine());
        assertThat(Rig.lines(report)).containsExactly("a/a forgotten");
        assertThat(report.outcomes().getFirst().detail()).contains("too large to keep (1048577 bytes)");
        assertThat(rig.text("/srv/a")).isEqualTo("small");
    }

    @Test
    void aFileChangedByHandIsMovedAsideWhenItsResourceGoes() {
        rig.apply(machine(file("a/a", "/srv/a", "ours")));
        rig.write("/srv/a", "theirs");
        Report report = rig.apply(machine());
        assertThat(report.outcomes().getFirst().detail())
                .isEqualTo("changed since it was applied: moved to a.mesh-removed; nothing was there before");
        assertThat(rig.tree()).containsExactly("/srv/", "/srv/a.mesh-removed = theirs");
    }

    @Test
    void aDirectoryThatWasFoundGetsItsModeBackAndOneThatIsNotEmptyIsLeft() throws Exception {
        Files.createDirectories(rig.path("/srv/found"));
        chmod("/srv/found", "rwx------");
        Declaration declaration = machine(
                new DirectoryResource(
                        new Head("a/found", Set.of(), Set.of()),
                        Path.of("/srv/found"),
                        OptionalInt.of(0755),
                        Optional.empty(),
                        Optional.empty()),
                directory("a/made", "/srv/made"));
        rig.apply(declaration);
        assertThat(mode("/srv/found")).isEqualTo("rwxr-xr-x");
        rig.write("/srv/made/theirs", "x");
        assertThat(Rig.lines(rig.apply(machine()))).containsExactly("a/made forgotten", "a/found restored");
        assertThat(mode("/srv/found")).isEqualTo("rwx------");
        assertThat(rig.text("/srv/made/theirs")).isEqualTo("x");
    }

    @Test
    void ownersThatCannotBeSetAreSaidOnceAndNotFailed() {
        FileResource owned = new FileResource(
                new Head("a/a", Set.of(), Set.of()),
                Path.of("/srv/a"),
                OptionalInt.empty(),
                Optional.of("root"),
                Optional.of("root"),
                false,
                new Content.Text("x"));
        Report report = rig.apply(machine(owned));
        assertThat(report.ok()).isTrue();
        assertThat(report.notes()).containsExactly("owners and groups are left as they are: only root can set them");
        assertThat(rig.plan(machine(owned)).pending()).isZero();
    }
}
