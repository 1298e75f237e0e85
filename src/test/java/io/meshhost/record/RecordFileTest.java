package io.meshhost.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The file of a record: made when it is first needed, private, and left alone by reading. */
class RecordFileTest extends RecordFixture {
    private Map<String, String> everythingInTheStateDirectory() throws IOException {
        Map<String, String> seen = new TreeMap<>();
        try (var names = Files.list(dir.resolve("state"))) {
            for (Path name : names.toList()) {
                seen.put(
                        name.toString(),
                        Files.readAttributes(name, "unix:lastModifiedTime,ctime,size,ino,mode")
                                .toString());
            }
        }
        seen.put(
                "",
                Files.readAttributes(dir.resolve("state"), "unix:lastModifiedTime,ctime,ino,mode")
                        .toString());
        return seen;
    }

    @Test
    void aRecordThatIsNotThereReadsAsEmptyAndIsNotMade() {
        try (RecordStore record = open()) {
            assertThat(record.applied()).isEmpty();
            assertThat(record.owed()).isEmpty();
            assertThat(record.serial()).isEmpty();
            assertThat(record.history(Optional.empty(), 10)).isEmpty();
            assertThat(record.contentBefore("m/a")).isEmpty();
        }
        assertThat(dir).isEmptyDirectory();
    }

    @Test
    void theFirstWriteMakesAPrivateFileInAPrivateDirectory() throws IOException {
        try (RecordStore record = open()) {
            record.serial(7);
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(database())))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(dir.resolve("state"))))
                .isEqualTo("rwx------");
    }

    @Test
    void afterClosingOnlyTheDatabaseIsLeft() {
        try (RecordStore record = open()) {
            record.serial(7);
            assertThat(dir.resolve("state/record.db-wal")).exists();
        }
        assertThat(dir.resolve("state")).isDirectoryContaining("glob:**record.db");
        assertThat(dir.resolve("state").toFile().list()).containsExactly("record.db");
    }

    @Test
    void readingTouchesNothingInTheDirectory() throws Exception {
        try (RecordStore record = open()) {
            record.begin(List.of(beginning(row("m/a", "/etc/a"), "old")));
            finish(record, row("m/a", "/etc/a").applied("w", "s", "{}"));
            record.history(entry(NOON, "m/a"));
        }
        Map<String, String> before = everythingInTheStateDirectory();
        try (WatchService watch = dir.getFileSystem().newWatchService()) {
            dir.resolve("state")
                    .register(
                            watch,
                            StandardWatchEventKinds.ENTRY_CREATE,
                            StandardWatchEventKinds.ENTRY_DELETE,
                            StandardWatchEventKinds.ENTRY_MODIFY);
            try (RecordStore record = open()) {
                assertThat(record.applied()).containsOnlyKeys("m/a");
                assertThat(record.contentBefore("m/a"))
                        .hasValueSatisfying(b -> assertThat(b).hasSize(3));
                assertThat(record.history(Optional.empty(), 5)).hasSize(1);
                record.serial();
                record.owed();
            }
            assertThat(RecordStores.state(database(), dir.resolve("lib"), List.of()))
                    .isEqualTo(new RecordState.Fine());
            assertThat(watch.poll(200, TimeUnit.MILLISECONDS)).isNull();
        }
        assertThat(everythingInTheStateDirectory()).isEqualTo(before);
    }

    @Test
    void anEmptyBatchWritesNothing() {
        try (RecordStore record = open()) {
            record.begin(List.of());
            finish(record);
        }
        assertThat(database()).doesNotExist();
    }

    @Test
    void aReaderSeesWhatAWriterBesideItHasWritten() {
        try (RecordStore reader = open()) {
            try (RecordStore writer = open()) {
                writer.serial(1);
                assertThat(reader.serial()).isEqualTo(OptionalLong.of(1));
                writer.serial(2);
                assertThat(reader.serial()).isEqualTo(OptionalLong.of(2));
            }
            assertThat(reader.serial()).isEqualTo(OptionalLong.of(2));
        }
    }

    @Test
    void twoReadersSeeTheSame() {
        try (RecordStore writer = open()) {
            writer.serial(3);
        }
        try (RecordStore one = open();
                RecordStore two = open()) {
            assertThat(one.serial()).isEqualTo(two.serial()).isEqualTo(OptionalLong.of(3));
        }
    }

    @Test
    void withoutLeaveToCreateAWriteIsRefused() {
        try (RecordStore record = RecordStores.open(database(), dir.resolve("lib"), false)) {
            assertThatThrownBy(() -> record.serial(1))
                    .isInstanceOf(RecordFailure.class)
                    .hasMessage("cannot write the record " + database() + ": there is none; run apply first");
        }
    }

    @Test
    void namesWithOddCharactersAreNoTrouble() {
        Path odd = dir.resolve("a b?c#d%41é/record.db");
        try (RecordStore record = RecordStores.open(odd, dir.resolve("lib"), true)) {
            record.serial(5);
        }
        assertThat(odd).exists();
        try (RecordStore record = RecordStores.open(odd, dir.resolve("lib"), true)) {
            assertThat(record.serial()).isEqualTo(OptionalLong.of(5));
        }
    }
}
