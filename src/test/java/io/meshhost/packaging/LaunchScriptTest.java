package io.meshhost.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.testing.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** packaging/nox-mesh-host-launch on hosts that only say who they are. */
class LaunchScriptTest {
    private static final String HOST = "#!/bin/sh\necho \"$0 $*\"\nif read -r line; then echo \"read $line\"; fi\n";

    @TempDir
    private Path folder;

    private Path state = Path.of("");
    private Path versions = Path.of("");
    private Path placed = Path.of("");

    /** Every POSIX shell that is here; /bin/sh always is. */
    static Stream<List<String>> shells() {
        return Stream.of(
                        List.of("/bin/sh"),
                        List.of("/usr/bin/bash", "--posix"),
                        List.of("/bin/busybox", "sh"),
                        List.of("/usr/bin/ksh"))
                .filter(shell -> Files.isExecutable(Path.of(shell.getFirst())));
    }

    @BeforeEach
    void aMachine() throws IOException {
        state = Files.createDirectory(folder.resolve("state dir"));
        versions = Files.createDirectories(folder.resolve("lib exec/versions"));
        placed = folder.resolve("placed by hand");
    }

    @ParameterizedTest
    @MethodSource("shells")
    void theFirstKnownGoodVersionThatCanRunSupervises(List<String> shell) throws Exception {
        host("newest, and never tried");
        host("1.9 of may");
        Files.createDirectories(versions.resolve("a directory/nox-mesh-host"));
        Files.writeString(Files.createDirectory(versions.resolve("no x")).resolve("nox-mesh-host"), HOST);
        say("known-good", "gone\na directory\nno x\n  1.9 of may \n1.8\n");
        host("1.8");
        say("rollback-pinned", "1.8\n");
        program(placed);

        assertThat(launch(shell)).isEqualTo(versions.resolve("1.9 of may/nox-mesh-host") + " launch");
    }

    @ParameterizedTest
    @MethodSource("shells")
    void whatWasRejectedSinceDoesNot(List<String> shell) throws Exception {
        host("2.0 bad");
        host("2.0");
        say("known-good", "2.0 bad\n2.0\n");
        say("rejected", "sha256:00ff 2.0 bad\nsha256:00ee 2x0\n");

        assertThat(launch(shell)).isEqualTo(versions.resolve("2.0/nox-mesh-host") + " launch");
    }

    @ParameterizedTest
    @MethodSource("shells")
    void withoutOneThePinnedVersionDoes(List<String> shell) throws Exception {
        host("new");
        host("pin ned");
        say("rollback-pinned", "pin ned\nnew\n");
        program(placed);

        assertThat(launch(shell)).isEqualTo(versions.resolve("pin ned/nox-mesh-host") + " launch");
    }

    @ParameterizedTest
    @MethodSource("shells")
    void elseTheHostPlacedByHand(List<String> shell) throws Exception {
        host("new");
        say("rollback-pinned", "../versions/new\n");
        say("known-good", ".new\n\n");
        program(placed);

        assertThat(launch(shell)).isEqualTo(placed + " launch");
    }

    @ParameterizedTest
    @MethodSource("shells")
    void elseTheNewestByArrivalAndThenByTime(List<String> shell) throws Exception {
        host("old er");
        host("* [newer]");
        Files.setLastModifiedTime(versions.resolve("old er"), FileTime.from(Instant.parse("2020-01-01T00:00:00Z")));
        assertThat(launch(shell)).isEqualTo(versions.resolve("* [newer]/nox-mesh-host") + " launch");

        say("arrivals", "9 * [newer]\n10 old er\n11 gone\n");
        assertThat(launch(shell)).isEqualTo(versions.resolve("old er/nox-mesh-host") + " launch");
    }

    /** It may be executed and cannot: no interpreter, no program at all, nothing in it. */
    @ParameterizedTest
    @MethodSource("shells")
    void whatCannotBeExecutedAfterAllIsPassedOver(List<String> shell) throws Exception {
        String noInterpreter = "#!" + folder.resolve("no interpreter") + "\n";
        program(placed, noInterpreter);
        host("no program");
        // Busybox reads what the kernel does not know as a script.
        boolean reads = shell.getFirst().endsWith("busybox");
        program(versions.resolve("no program/nox-mesh-host"), reads ? noInterpreter : "\177ELF\2\1\1\0\1");
        host("empty");
        program(versions.resolve("empty/nox-mesh-host"), "");
        host("good");
        say("known-good", "no program\nempty\n");

        Shell.Ended ended = run(shell);
        assertThat(ended.status()).as(ended.said()).isZero();
        assertThat(ended.said().lines().toList()).last().isEqualTo(versions.resolve("good/nox-mesh-host") + " launch");
        assertThat(ended.said()).contains(placed.toString()).doesNotContain("empty");
    }

    @ParameterizedTest
    @MethodSource("shells")
    void withoutAnyHostItSaysSoAndFails(List<String> shell) throws Exception {
        Shell.Ended ended = run(shell);

        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.said())
                .isEqualTo(
                        "nox-mesh-host-launch: cannot start the supervisor: no version under " + versions + " and no "
                                + placed + " is executable; install the package nox-mesh-host or put a host there\n");
    }

    @Test
    void garbageInTheStateDirectoryStopsNothing() throws Exception {
        program(placed);
        for (String name : List.of("known-good", "rollback-pinned", "rejected", "arrivals")) {
            Files.write(
                    state.resolve(name), new byte[] {0, '\n', (byte) 0xff, '*', '\n', '-', 'x', '\n', '$', '(', ')'});
        }
        assertThat(launch(List.of("/bin/sh"))).isEqualTo(placed + " launch");

        for (String name : List.of("known-good", "rollback-pinned", "rejected", "arrivals")) {
            Files.delete(state.resolve(name));
            Files.createDirectory(state.resolve(name));
        }
        assertThat(launch(List.of("/bin/sh"))).isEqualTo(placed + " launch");
    }

    private void host(String version) throws IOException {
        program(Files.createDirectories(versions.resolve(version)).resolve("nox-mesh-host"));
    }

    private static void program(Path file) throws IOException {
        program(file, HOST);
    }

    private static void program(Path file, String content) throws IOException {
        Files.writeString(file, content);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private void say(String name, String text) throws IOException {
        Files.writeString(state.resolve(name), text);
    }

    /** Who supervises, and with which words. Its stdin is the script's own. */
    private String launch(List<String> shell) throws IOException, InterruptedException {
        Shell.Ended ended = run(shell);
        assertThat(ended.status()).as(ended.said()).isZero();
        assertThat(ended.said().lines()).hasSize(1);
        return ended.said().lines().findFirst().orElseThrow();
    }

    private Shell.Ended run(List<String> shell) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(
                "env",
                "MESH_HOST_STATE_DIR=" + state,
                "MESH_HOST_LIBEXEC=" + versions.getParent(),
                "MESH_HOST_BIN=" + placed));
        words.addAll(shell);
        words.add("packaging/nox-mesh-host-launch");
        return Shell.run(words);
    }
}
