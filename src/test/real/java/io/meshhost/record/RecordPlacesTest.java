package io.meshhost.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhost.record.RecordStore.Beginning;
import io.meshhost.testing.Needs;
import io.meshhost.testing.Shell;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The record on a disk that is full, or may not be written. */
@Tag("root")
class RecordPlacesTest {
    @TempDir
    Path dir;

    private Path disk;
    private Path database;

    @BeforeEach
    void aSmallDisk() throws Exception {
        Needs.root();
        disk = Files.createDirectory(dir.toRealPath().resolve("disk"));
        database = disk.resolve("record.db");
        Shell.must("mount", "-t", "tmpfs", "-o", "size=2m,mode=700", "none", disk.toString());
    }

    @AfterEach
    void unmount() throws Exception {
        Shell.must("umount", disk.toString());
    }

    private RecordStore open() {
        return RecordStores.open(database, dir.resolve("lib"), true);
    }

    private static void begin(RecordStore record, int n, int bytes) {
        record.begin(List.of(new Beginning(
                Applied.first("m/" + n, "file", "/etc/" + n, "{}"), Optional.of(new byte[bytes]))));
    }

    private void readOnly() throws Exception {
        Shell.must("mount", "-o", "remount,ro", disk.toString());
    }

    @Test
    void onAFullDiskAWriteFailsWholeAndSucceedsOnceThereIsSpace() throws Exception {
        try (RecordStore record = open()) {
            begin(record, 1, 100);
            Shell.must("sh", "-c", "head -c 1M /dev/zero > " + disk.resolve("filler"));
            assertThatThrownBy(() -> begin(record, 2, 1_000_000))
                    .isInstanceOf(RecordFailure.class)
                    .hasMessage("cannot write the record " + database
                            + ": no space is left on its file system; free some and try again");
            assertThat(record.applied()).containsOnlyKeys("m/1");
            Shell.must("rm", disk.resolve("filler").toString());
            begin(record, 2, 200_000);
            assertThat(record.applied()).containsOnlyKeys("m/1", "m/2");
        }
        assertThat(RecordStores.state(database, dir.resolve("lib"), List.of())).isEqualTo(new RecordState.Fine());
    }

    @Test
    void onADiskThatIsFullFromTheStartNoRecordIsMade() throws Exception {
        // A private library elsewhere: 2 MiB hold no library beside the filler.
        Shell.must("sh", "-c", "head -c 3M /dev/zero > " + disk.resolve("filler") + " 2>/dev/null || true");
        try (RecordStore record = open()) {
            assertThatThrownBy(() -> record.serial(1))
                    .isInstanceOf(RecordFailure.class)
                    .hasMessageContaining("record.db")
                    .hasMessageContaining("space");
        }
        assertThat(RecordStores.state(database, dir.resolve("lib"), List.of())).isEqualTo(new RecordState.Absent());
        Shell.must("rm", disk.resolve("filler").toString());
        try (RecordStore record = open()) {
            record.serial(1);
        }
        assertThat(disk.toFile().list()).containsExactly("record.db");
    }

    @Test
    void onAReadOnlyDiskItIsReadAndAWriteIsRefusedInASentence() throws Exception {
        try (RecordStore record = open()) {
            record.serial(4);
        }
        readOnly();
        assertThat(RecordStores.state(database, dir.resolve("lib"), List.of())).isEqualTo(new RecordState.Fine());
        try (RecordStore record = open()) {
            assertThat(record.serial()).isEqualTo(OptionalLong.of(4));
            assertThatThrownBy(() -> record.serial(5))
                    .isInstanceOf(RecordFailure.class)
                    .hasMessageStartingWith("cannot write the record " + database + ": it ")
                    .hasMessageContaining("read-only");
            assertThat(record.serial()).isEqualTo(OptionalLong.of(4));
        }
    }

    @Test
    void onAReadOnlyDiskNoneIsMade() throws Exception {
        readOnly();
        try (RecordStore record = open()) {
            assertThat(record.applied()).isEmpty();
            assertThatThrownBy(() -> record.serial(5))
                    .isInstanceOf(RecordFailure.class)
                    .hasMessageContaining("the file system is read-only");
        }
    }
}
