package io.meshhost.machine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.machine.Files.Attributes;
import io.meshhost.machine.testing.PowerCut;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each effect, cut before each of its operations in turn: what stands is the old or the new, and sweeping leaves no trace. */
class PowerCutTest {
    @TempDir
    Path top;

    /** Gives how many operations the effect has. */
    private int cutEverywhere(Consumer<Files> before, Consumer<Files> effect, Consumer<Files> after, Path... targets)
            throws IOException {
        Files steady = new Files(top.toRealPath(), Probe.NONE);
        for (int n = 1; ; n++) {
            before.accept(steady);
            PowerCut cut = PowerCut.before(n);
            boolean finished = false;
            try {
                Files files = new Files(top.toRealPath(), cut);
                effect.accept(files);
                finished = true;
            } catch (PowerCut.Cut expected) {
                assertThat(cut.trace()).hasSize(n - 1);
            }
            Files next = new Files(top.toRealPath(), Probe.NONE);
            next.sweep(List.of(targets));
            after.accept(next);
            if (finished) {
                return n - 1;
            }
        }
    }

    private static void put(Files files, Path path, String text) {
        files.write(path, text.getBytes(UTF_8), Attributes.mode(0640));
    }

    private static String text(Files files, Path path) {
        return files.stat(path).isEmpty() ? "absent" : new String(files.read(path, 1 << 20), UTF_8);
    }

    private void rewriteIn(Path dir, String old) throws IOException {
        Path file = dir.resolve("f");
        int operations = cutEverywhere(
                files -> {
                    if (old.equals("absent")) {
                        files.delete(file);
                    } else {
                        put(files, file, old);
                    }
                },
                files -> {
                    files.write(file, "new".getBytes(UTF_8), Attributes.mode(0600));
                    files.sync();
                },
                files -> {
                    assertThat(text(files, file)).isIn(old, "new");
                    files.stat(file).ifPresent(stat -> {
                        assertThat(stat.mode()).isEqualTo(text(files, file).equals("new") ? 0600 : 0640);
                    });
                    assertThat(files.list(dir)).isSubsetOf(List.of(file));
                    assertThat(files.list(top)).isSubsetOf(List.of(file, dir, dir.getParent()));
                },
                file);
        assertThat(operations).isGreaterThanOrEqualTo(5);
    }

    @Test
    void aWriteIsOldOrNewAndWhole() throws IOException {
        top = top.toRealPath();
        rewriteIn(top, "old");
        rewriteIn(top, "absent");
        rewriteIn(top, "x".repeat(100_000));
    }

    @Test
    void soItIsWhereOthersMayWrite() throws IOException {
        top = top.toRealPath();
        Path shared = top.resolve("shared");
        java.nio.file.Files.createDirectory(shared);
        java.nio.file.Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
        rewriteIn(shared, "old");
        rewriteIn(shared, "absent");
    }

    @Test
    void soItIsWhereOthersMaySwapTheDirectory() throws IOException {
        top = top.toRealPath();
        Path shared = top.resolve("shared");
        Path inner = shared.resolve("inner");
        java.nio.file.Files.createDirectories(inner);
        java.nio.file.Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
        rewriteIn(inner, "old");
        rewriteIn(inner, "absent");
    }

    @Test
    void aMoveHasHappenedOrNot() throws IOException {
        top = top.toRealPath();
        Path from = top.resolve("from");
        Path to = top.resolve("to");
        cutEverywhere(
                files -> {
                    put(files, from, "new");
                    put(files, to, "old");
                },
                files -> {
                    files.move(from, to);
                    files.sync();
                },
                files -> assertThat(text(files, from) + " " + text(files, to)).isIn("new old", "absent new"),
                from,
                to);
    }

    @Test
    void aTreeThatIsHalfRemovedIsRemovedByTheNextTry() throws IOException {
        top = top.toRealPath();
        Path tree = top.resolve("tree");
        Path beside = top.resolve("beside");
        int operations = cutEverywhere(
                files -> {
                    put(files, beside, "x");
                    files.makeDirectory(tree, Attributes.kept());
                    for (String sub : Set.of("a", "b")) {
                        files.makeDirectory(tree.resolve(sub), Attributes.kept());
                        put(files, tree.resolve(sub).resolve("f"), "x");
                    }
                },
                files -> files.deleteTree(tree),
                files -> {
                    files.deleteTree(tree);
                    assertThat(files.list(top)).containsExactly(beside);
                },
                tree);
        assertThat(operations).isEqualTo(5);
    }

    @Test
    void aDirectoryIsNeverOpenBeforeItsTime() throws IOException {
        top = top.toRealPath();
        Path made = top.resolve("made");
        cutEverywhere(
                files -> files.deleteTree(made),
                files -> {
                    files.makeDirectory(made, Attributes.mode(0750));
                    files.sync();
                },
                files -> files.stat(made)
                        .ifPresent(stat -> assertThat(stat.mode()).isIn(0700, 0750)),
                made);
    }

    @Test
    void theOrderIsWriteFsyncRenameAndOneFsyncForEachDirectory() throws IOException { // FI-05
        top = top.toRealPath();
        PowerCut trace = PowerCut.never();
        Files files = new Files(top, trace);
        files.write(top.resolve("a"), new byte[] {1}, Attributes.mode(0644));
        files.write(top.resolve("b"), new byte[] {1}, Attributes.mode(0644));
        files.sync();
        files.sync();
        assertThat(trace.operations())
                .containsExactly(
                        "create",
                        "write",
                        "mode",
                        "fsync",
                        "rename",
                        "create",
                        "write",
                        "mode",
                        "fsync",
                        "rename",
                        "fsync-dir");
    }
}
