package io.meshhost.machine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhost.machine.Files.Attributes;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WalkTest {
    @TempDir
    Path dir;

    private Path root;
    private Files files;

    @BeforeEach
    void open() throws IOException {
        dir = dir.toRealPath();
        root = dir.resolve("root");
        java.nio.file.Files.createDirectory(root);
        files = new Files(root, Probe.NONE);
    }

    private Path made(String path, String permissions) throws IOException {
        Path at = root.resolve(path);
        java.nio.file.Files.createDirectories(at);
        java.nio.file.Files.setPosixFilePermissions(at, PosixFilePermissions.fromString(permissions));
        return at;
    }

    private void write(Path path, String text) {
        files.write(path, text.getBytes(UTF_8), Attributes.kept());
    }

    private String text(Path path) {
        return new String(files.read(path, 1000), UTF_8);
    }

    @Test
    void aLinkOfOursInADirectoryOfOursIsFollowed() throws IOException {
        Path real = made("real/deep", "rwxr-xr-x");
        files.symlink(root.resolve("short"), "real/deep");
        files.symlink(root.resolve("absolute"), real.toString());
        files.symlink(root.resolve("round"), "real/../short");
        write(root.resolve("short/a"), "1");
        write(root.resolve("absolute/b"), "2");
        write(root.resolve("round/c"), "3");
        assertThat(text(real.resolve("a")) + text(real.resolve("b")) + text(real.resolve("c")))
                .isEqualTo("123");
        assertThat(files.refusal(root.resolve("short/x/y"))).isEmpty();
    }

    @Test
    void aLinkInADirectoryThatOthersMayWriteIsNotFollowed() throws IOException {
        made("target", "rwxr-xr-x");
        Path shared = made("shared", "rwxrwxrwx");
        java.nio.file.Files.createSymbolicLink(shared.resolve("link"), root.resolve("target"));
        Path file = shared.resolve("link/f");
        assertThatThrownBy(() -> write(file, "x"))
                .isInstanceOf(MachineFailure.class)
                .hasMessageStartingWith("cannot write " + file + ": the link " + shared.resolve("link")
                        + " on the way is not followed");
        assertThatThrownBy(() -> files.makeDirectory(file, Attributes.kept())).hasMessageContaining("is not followed");
        assertThatThrownBy(() -> files.deleteTree(root.resolve("shared/link/../target")))
                .hasMessageContaining("not a normal path");
        assertThat(files.refusal(file).orElseThrow()).contains("is not followed");
        assertThat(files.list(root.resolve("target"))).isEmpty();
    }

    @Test
    void stickyDoesNotMakeALinkSafe() throws IOException {
        made("target", "rwxr-xr-x");
        Path shared = made("tmp", "rwxrwxrwx");
        java.nio.file.Files.setAttribute(shared, "unix:mode", 01777);
        java.nio.file.Files.createSymbolicLink(shared.resolve("link"), root.resolve("target"));
        assertThatThrownBy(() -> write(shared.resolve("link/f"), "x")).hasMessageContaining("is not followed");
    }

    @Test
    void aLinkNeverLeadsOutOfTheRoot() throws IOException {
        Path outside = dir.resolve("outside");
        java.nio.file.Files.createDirectory(outside);
        files.symlink(root.resolve("absolute"), outside.toString());
        files.symlink(root.resolve("relative"), "../outside");
        files.symlink(root.resolve("climbing"), root + "/../outside");
        for (String link : List.of("absolute", "relative", "climbing")) {
            assertThatThrownBy(() -> write(root.resolve(link).resolve("f"), "x"))
                    .hasMessageContaining("leads out of " + root);
        }
        assertThat(outside).isEmptyDirectory();
    }

    @Test
    void linksInACircleAreSaid() {
        files.symlink(root.resolve("a"), "b");
        files.symlink(root.resolve("b"), "a");
        assertThatThrownBy(() -> write(root.resolve("a/f"), "x")).hasMessageContaining("lead in a circle");
    }

    @Test
    void aFileOnTheWayIsNamed() {
        write(root.resolve("f"), "x");
        assertThatThrownBy(() -> write(root.resolve("f/g/h"), "x"))
                .hasMessage("cannot write " + root.resolve("f/g/h") + ": " + root.resolve("f") + " is not a directory");
    }

    @Test
    void everythingCanBeDoneWhereOthersMayWrite() throws IOException {
        everything(made("shared", "rwxrwxrwx"));
    }

    @Test
    void everythingCanBeDoneWhereOthersMaySwapDirectories() throws IOException {
        made("shared", "rwxrwxrwx");
        everything(made("shared/a/b", "rwxr-xr-x"));
        assertThat(files.list(root.resolve("shared"))).containsExactly(root.resolve("shared/a"));
    }

    private void everything(Path at) {
        Path file = at.resolve("f");
        write(file, "1");
        files.write(file, "2".getBytes(UTF_8), Attributes.mode(0640));
        assertThat(text(file)).isEqualTo("2");
        assertThat(files.stat(file).orElseThrow().mode()).isEqualTo(0640);
        write(file, "3");
        assertThat(files.stat(file).orElseThrow().mode()).isEqualTo(0640);
        assertThat(files.fixed(file)).isFalse();
        assertThatThrownBy(() -> files.change(file, Attributes.mode(0600))).hasMessageContaining("write it anew");
        Path sub = at.resolve("sub");
        files.makeDirectory(sub, Attributes.mode(0710));
        files.makeDirectory(sub, Attributes.mode(0777));
        assertThat(files.stat(sub).orElseThrow().mode()).isEqualTo(0710);
        files.change(sub, Attributes.mode(0755));
        assertThat(files.stat(sub).orElseThrow().mode()).isEqualTo(0755);
        files.move(file, sub.resolve("g"));
        files.makeDirectory(sub.resolve("deeper"), Attributes.kept());
        write(sub.resolve("deeper/h"), "4");
        files.sync();
        assertThat(text(sub.resolve("g")) + text(sub.resolve("deeper/h"))).isEqualTo("34");
        files.delete(sub.resolve("g"));
        files.deleteTree(sub);
        assertThat(files.list(at)).isEmpty();
    }

    @Test
    void setuidIsNotSetWhereOthersMayWrite() throws IOException {
        Path shared = made("shared", "rwxrwxrwx");
        assertThatThrownBy(() -> files.write(shared.resolve("f"), new byte[0], Attributes.mode(04755)))
                .hasMessageContaining("setuid, setgid and sticky are not set in a directory that others may write");
        assertThat(files.list(shared)).isEmpty();
    }

    @Test
    void tenThousandStatsAreCheap() {
        List<Path> paths = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            paths.add(root.resolve("f" + i));
            write(paths.get(i), "x");
        }
        long best = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long start = System.nanoTime();
            for (int i = 0; i < 10_000; i++) {
                assertThat(files.stat(paths.get(i % 100)).isPresent()).isTrue();
            }
            best = Math.min(best, System.nanoTime() - start);
        }
        assertThat(best).isLessThan(1_000_000_000L);
    }
}
