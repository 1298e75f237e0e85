package io.meshhost.machine.services;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessLogTest {
    @TempDir
    Path directory;

    private Path file;
    private Path old;

    @BeforeEach
    void name() {
        file = directory.resolve("web.log");
        old = directory.resolve("web.log.1");
    }

    private void append(ProcessLog log, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        log.append(bytes, bytes.length);
    }

    @Test
    void theLastFiftyLinesAreKnownNewestLast() {
        ProcessLog log = new ProcessLog(file, old, 1 << 20);
        IntStream.rangeClosed(1, 60).forEach(i -> append(log, "line " + i + "\n"));

        assertThat(log.lastLines()).hasSize(50).startsWith("line 11").endsWith("line 60");
    }

    @Test
    void atItsSizeItMakesRoomAndKeepsOneOld() throws IOException {
        ProcessLog log = new ProcessLog(file, old, 100);
        for (int i = 10; i < 60; i++) {
            append(log, "line " + i + "\n");
        }

        assertThat(Files.size(file)).isLessThanOrEqualTo(100);
        assertThat(Files.size(old)).isLessThanOrEqualTo(100);
        try (var files = Files.list(directory)) {
            assertThat(files).containsExactlyInAnyOrder(file, old);
        }
        assertThat(log.lastLines()).hasSizeBetween(12, 24).endsWith("line 59");
    }

    @Test
    void aLineAcrossTheTwoFilesIsOneLine() {
        ProcessLog log = new ProcessLog(file, old, 10);
        append(log, "one\ntw");
        append(log, "o-and-\n");

        assertThat(log.lastLines()).containsExactly("one", "two-and-");
    }

    @Test
    void aPieceLargerThanTheFileLeavesItsEnd() throws IOException {
        ProcessLog log = new ProcessLog(file, old, 10);
        append(log, "0123456789abcdef");

        assertThat(Files.readString(file)).isEqualTo("6789abcdef");
    }

    @Test
    void onlyItsOwnerMayReadIt() throws IOException {
        append(new ProcessLog(file, old, 10), "x");

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void aLinkInItsPlaceIsNotFollowed() throws IOException {
        Path victim = Files.writeString(directory.resolve("victim"), "safe");
        Files.createSymbolicLink(file, victim);

        append(new ProcessLog(file, old, 1000), "x");

        assertThat(Files.readString(victim)).isEqualTo("safe");
    }

    @Test
    void whereNothingCanBeWrittenNothingIsThrown() {
        ProcessLog log = new ProcessLog(directory.resolve("none/web.log"), directory.resolve("none/web.log.1"), 10);
        append(log, "x");

        assertThat(log.lastLines()).isEmpty();
    }
}
