package io.meshhost.machine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhost.machine.Commands.Command;
import io.meshhost.machine.Files.Attributes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only root can set up: full and read-only file systems, attributes, mount points, other owners. */
@Tag("root")
class FilesAsRootTest {
    @TempDir
    Path dir;

    private final SystemCommands commands = new SystemCommands();
    private final Deque<String[]> undo = new ArrayDeque<>();
    private Files files;

    @BeforeEach
    void open() throws IOException {
        dir = dir.toRealPath();
        files = new Files(Path.of("/"), Probe.NONE);
    }

    @AfterEach
    void undo() {
        undo.forEach(this::run);
    }

    private String run(String... argv) {
        return commands.mustRun(Command.of(argv)).out();
    }

    private void later(String... argv) {
        undo.push(argv);
    }

    private void write(Path path, String text) {
        files.write(path, text.getBytes(UTF_8), Attributes.kept());
    }

    private String text(Path path) {
        return new String(files.read(path, 1 << 20), UTF_8);
    }

    @Test
    void onAFullDiskTheOldFileStaysAndTheSentenceSaysWhatIsNeeded() {
        run("mount", "-t", "tmpfs", "-o", "size=64k,mode=755", "none", dir.toString());
        later("umount", dir.toString());
        Path file = dir.resolve("f");
        write(file, "old");
        assertThatThrownBy(() -> files.write(file, new byte[100_000], Attributes.kept()))
                .isInstanceOf(MachineFailure.class)
                .hasMessageMatching("cannot write " + file + ": the disk is full: it needs 100000 bytes and has [0-9]+; "
                        + "free some space and apply again");
        assertThat(text(file)).isEqualTo("old");
        assertThat(files.list(dir)).containsExactly(file);
        assertThat(files.freeSpace(dir.resolve("a/b"))).isBetween(1L, 65_536L);
    }

    @Test
    void aReadOnlyFileSystemIsSaid() {
        run("mount", "--bind", "-o", "ro", dir.toString(), dir.toString());
        later("umount", dir.toString());
        assertThatThrownBy(() -> write(dir.resolve("f"), "x"))
                .hasMessage("cannot write " + dir.resolve("f")
                        + ": the file system is read-only; remount it read-write, or declare another path");
    }

    @Test
    void anImmutableFileIsNamedWithItsAttributeAndNothingIsLeft() { // FI-07
        Path file = dir.resolve("f");
        write(file, "old");
        run("chattr", "+i", file.toString());
        later("chattr", "-i", file.toString());
        assertThatThrownBy(() -> write(file, "new"))
                .hasMessage("cannot write " + file + ": " + file + " has the attribute i (immutable); "
                        + "take it away with chattr -i " + file);
        assertThatThrownBy(() -> files.delete(file)).hasMessageContaining("chattr -i");
        assertThat(text(file)).isEqualTo("old");
        assertThat(files.list(dir)).containsExactly(file);
    }

    @Test
    void anImmutableDirectoryIsNamedToo() {
        run("chattr", "+i", dir.toString());
        later("chattr", "-i", dir.toString());
        assertThatThrownBy(() -> write(dir.resolve("f"), "x")).hasMessageContaining("chattr -i " + dir);
    }

    @Test
    void aMountPointIsExplainedAndNotReplaced() { // FI-08
        Path file = dir.resolve("hosts");
        write(file, "below");
        write(dir.resolve("source"), "mounted");
        run("mount", "--bind", dir.resolve("source").toString(), file.toString());
        later("umount", file.toString());
        assertThatThrownBy(() -> write(file, "new"))
                .hasMessage("cannot write " + file
                        + ": it is a mount point and cannot be replaced; unmount it, or declare another path");
        assertThat(text(file)).isEqualTo("mounted");
        assertThat(files.list(dir)).hasSize(2);
    }

    @Test
    void aTreeWithAMountInItIsNotEmptied() {
        Path tree = dir.resolve("tree");
        Path precious = dir.resolve("precious");
        files.makeDirectory(tree, Attributes.kept());
        files.makeDirectory(tree.resolve("a b"), Attributes.kept());
        files.makeDirectory(precious, Attributes.kept());
        write(precious.resolve("f"), "x");
        write(tree.resolve("f"), "x");
        run("mount", "--bind", precious.toString(), tree.resolve("a b").toString());
        later("umount", tree.resolve("a b").toString());
        assertThatThrownBy(() -> files.deleteTree(tree))
                .hasMessage("cannot remove " + tree + ": " + tree.resolve("a b")
                        + " in it is a mount point; unmount it first");
        assertThat(text(precious.resolve("f")) + text(tree.resolve("f"))).isEqualTo("xx");
    }

    @Test
    void ownerModeAclAndExtendedAttributesAreKept() throws IOException { // FI-04
        for (int size : List.of(3, 200_000)) {
            Path file = dir.resolve("f" + size);
            files.write(
                    file,
                    new byte[size],
                    new Attributes(OptionalInt.of(0640), OptionalInt.of(1234), OptionalInt.of(4321)));
            run("setfacl", "-m", "u:1999:rw,g:1998:r", file.toString());
            run("setfattr", "-n", "user.x", "-v", "1", file.toString());
            String acl = run("getfacl", "-np", file.toString());
            write(file, "new");
            assertThat(text(file)).isEqualTo("new");
            assertThat(run("getfacl", "-np", file.toString())).isEqualTo(acl).contains("user:1999:rw-");
            assertThat(run("getfattr", "--only-values", "-n", "user.x", file.toString())).isEqualTo("1");
            Stat stat = files.stat(file).orElseThrow();
            assertThat(List.of(stat.uid(), stat.gid(), stat.mode())).isEqualTo(List.of(1234, 4321, 0660));
        }
    }

    @Test
    void aPlainFileIsReplacedWithoutStartingAnyProgram() {
        Files alone = new Files(Path.of("/"), Probe.NONE, new Commands() {
            @Override
            public Result run(Command command) {
                throw new AssertionError("started " + command.argv());
            }

            @Override
            public java.util.Optional<Path> find(String name) {
                throw new AssertionError("looked for " + name);
            }
        });
        Path file = dir.resolve("f");
        for (String text : List.of("1", "2", "3")) {
            alone.write(file, text.getBytes(UTF_8), Attributes.mode(0644));
        }
        assertThat(text(file)).isEqualTo("3");
    }

    @Test
    void aSetuidModeSurvivesTheChangeOfOwner() {
        Path file = dir.resolve("f");
        files.write(file, new byte[1], new Attributes(OptionalInt.of(04755), OptionalInt.of(7), OptionalInt.of(7)));
        Stat stat = files.stat(file).orElseThrow();
        assertThat(List.of(stat.uid(), stat.mode())).isEqualTo(List.of(7, 04755));
    }

    @Test
    void anAclIsNotLostInSilenceWhereOthersMayWrite() {
        run("chown", "65534", dir.toString());
        Path file = dir.resolve("f");
        write(file, "old");
        run("setfacl", "-m", "u:1999:r", file.toString());
        assertThatThrownBy(() -> write(file, "new")).hasMessageContaining("it has an ACL or extended attributes");
        assertThat(text(file)).isEqualTo("old");
    }

    @Test
    void aFileInAUsersHomeGetsItsOwnerAndRootsDirectoryInItWorksToo() {
        run("chown", "65534:65534", dir.toString());
        files.makeDirectory(dir.resolve("app"), Attributes.kept());
        files.makeDirectory(dir.resolve("app/conf"), Attributes.mode(0750));
        Path file = dir.resolve("app/conf/f");
        files.write(file, "x".getBytes(UTF_8), new Attributes(OptionalInt.of(0600), OptionalInt.of(1234), OptionalInt.of(99)));
        write(file, "y");
        files.sync();
        Stat stat = files.stat(file).orElseThrow();
        assertThat(List.of(stat.uid(), stat.gid(), stat.mode())).isEqualTo(List.of(1234, 99, 0600));
        assertThat(text(file)).isEqualTo("y");
        assertThat(files.list(dir)).containsExactly(dir.resolve("app"));
    }

    @Test
    void theTrustInAFileEndsWithItsOwnerItsModeAndItsDirectory() {
        Path file = dir.resolve("host.env");
        assertThat(Trust.complaint(file)).isEmpty();
        write(file, "");
        assertThat(Trust.complaint(file)).isEmpty();
        files.change(file, Attributes.mode(0664));
        assertThat(Trust.complaint(file).orElseThrow())
                .isEqualTo("cannot trust " + file + ": others than root may write it; give it to root, "
                        + "take away others' right to write, or say --trust-file");
        run("chown", "1000", file.toString());
        assertThat(Trust.complaint(file).orElseThrow()).contains("it belongs to uid 1000");
        run("chown", "0", file.toString());
        files.change(file, Attributes.mode(0600));
        files.change(dir, Attributes.mode(0777));
        assertThat(Trust.complaint(file).orElseThrow()).contains("may write its directory " + dir);
        assertThat(Trust.complaint(file, 1000)).isEmpty();
        files.symlink(Path.of(dir + ".link"), file.toString());
        later("rm", dir + ".link");
        assertThat(Trust.complaint(Path.of(dir + ".link"))).isPresent();
    }
}
