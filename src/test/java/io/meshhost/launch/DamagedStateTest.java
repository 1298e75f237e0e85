package io.meshhost.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever stands in whatever file of the state directory: the host is started, and the status says what is wrong. */
class DamagedStateTest {
    private static final byte[] GARBAGE = {0, (byte) 0xff, ' ', '\n', (byte) 0xc3, 'x', ' ', '.', '.', '/', '\n', 0};

    @TempDir
    private Path temp;

    /** Those that are read and written; what halted holds is a reason whatever it is. */
    static Stream<String> files() {
        return Stream.of(
                "start-attempts",
                "rollback-pinned",
                "known-good",
                "rejected",
                "arrivals",
                "version-digests",
                "supervisor.json",
                "supervisor.lock",
                "versions.lock",
                "pinned-by-operator");
    }

    private void theHostIsStartedWith(String file, String... notes) throws Exception {
        try (Supervised supervised = new Supervised(temp.toRealPath())) {
            supervised.host("a", "exec sleep 60").start().until("\"version\":\"a\"");
            await().until(() -> !supervised.lines("pids").isEmpty());
            supervised.until("\"child\":" + supervised.lines("pids").getFirst());
            assertThat(List.of(notes)).as(file + ": " + supervised.asked()).allMatch(supervised.asked()::contains);
            supervised.term();
            assertThat(supervised.status()).isZero();
        }
    }

    private Path in(String name) throws IOException {
        return Files.createDirectories(temp.toRealPath().resolve("state")).resolve(name);
    }

    /** Those whose content decides nothing have nothing to say. */
    private static String[] notes(String file, String... note) {
        return Stream.of("pinned-by-operator", "known-good", "version-digests", "supervisor.json")
                        .anyMatch(file::equals)
                ? new String[0]
                : note;
    }

    @ParameterizedTest
    @MethodSource("files")
    void garbage(String file) throws Exception {
        Files.write(in(file), GARBAGE);
        theHostIsStartedWith(file, file.endsWith(".lock") ? new String[0] : notes(file, file + " "));
    }

    @ParameterizedTest
    @MethodSource("files")
    void nothingInIt(String file) throws Exception {
        Files.createFile(in(file));
        theHostIsStartedWith(file);
    }

    @ParameterizedTest
    @MethodSource("files")
    void aDirectory(String file) throws Exception {
        Files.createDirectories(in(file).resolve("x"));
        theHostIsStartedWith(file, file.endsWith(".lock") ? new String[0] : notes(file, file));
    }

    @ParameterizedTest
    @MethodSource("files")
    void mode000(String file) throws Exception {
        Files.writeString(in(file), "1\n");
        Files.setPosixFilePermissions(in(file), PosixFilePermissions.fromString("---------"));
        theHostIsStartedWith(file);
    }

    @ParameterizedTest
    @MethodSource("files")
    void aLinkThatLeadsNowhere(String file) throws Exception {
        Files.createSymbolicLink(in(file), Path.of("/nowhere/at/all"));
        theHostIsStartedWith(file);
    }
}
