package io.meshhost.machine.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ChangesTest {
    @TempDir
    Path dir;

    @BeforeEach
    void aFile() throws Exception {
        Files.writeString(dir.resolve("file"), "old");
        Files.writeString(dir.resolve("other"), "other");
    }

    interface Change {
        void make(Path dir) throws Exception;
    }

    static Stream<Change> changes() {
        return Stream.of(
                dir -> Files.writeString(dir.resolve("file"), "new"),
                dir -> Files.writeString(dir.resolve("another"), "new"),
                dir -> Files.delete(dir.resolve("file")),
                dir -> Files.move(dir.resolve("other"), dir.resolve("file"), StandardCopyOption.REPLACE_EXISTING),
                dir -> Files.setPosixFilePermissions(dir.resolve("file"), PosixFilePermissions.fromString("---------")),
                dir -> Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwxrwx---")),
                dir -> Files.createSymbolicLink(dir.resolve("link"), Path.of("file")));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void everyChangeIsSeenAtOnceAndStaysSeen(Change change) throws Exception {
        try (Changes changes = new Changes()) {
            changes.forget();
            changes.watch(dir);
            assertThat(changes.none()).isTrue();
            assertThat(changes.none()).isTrue();
            change.make(dir);
            assertThat(changes.none()).isFalse();
            assertThat(changes.none()).isFalse();
            changes.forget();
            changes.watch(dir);
            assertThat(changes.none()).isTrue();
        }
    }

    @Test
    void whatIsReadIsNoChange() throws Exception {
        try (Changes changes = new Changes()) {
            changes.forget();
            changes.watch(dir);
            assertThat(dir.resolve("file")).hasContent("old");
            assertThat(changes.none()).isTrue();
        }
    }

    @Test
    void whatCannotBeWatchedCountsAsChanged() {
        try (Changes changes = new Changes()) {
            changes.forget();
            changes.watch(dir.resolve("none"));
            assertThat(changes.none()).isFalse();
        }
    }

    @Test
    void nothingIsKnownBeforeItBegins() {
        try (Changes changes = new Changes()) {
            changes.watch(dir);
            assertThat(changes.none()).isFalse();
        }
    }
}
