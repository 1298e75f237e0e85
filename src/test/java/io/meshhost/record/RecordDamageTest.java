package io.meshhost.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhost.record.RecordStore.Beginning;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SPEC 2: a lost or unreadable record is an error, never an empty machine. */
class RecordDamageTest {
    @TempDir
    Path dir;

    private Path database;
    private Path lib;

    @BeforeEach
    void aRecordWithRows() {
        database = dir.resolve("state/record.db");
        lib = dir.resolve("lib");
        try (RecordStore record = open()) {
            record.serial(9);
            for (int i = 0; i < 200; i++) {
                record.begin(List.of(
                        new Beginning(Applied.first("m/" + i, "file", "/etc/" + i, "{}"), Optional.of(new byte[500]))));
            }
        }
    }

    private RecordStore open() {
        return RecordStores.open(database, lib, true);
    }

    private RecordState state(Path... evidence) {
        return RecordStores.state(database, lib, List.of(evidence));
    }

    private void overwrite(byte[] content) throws IOException {
        Files.write(database, content);
    }

    private void isRefusedAsDamaged(String reason) {
        assertThat(state())
                .isInstanceOfSatisfying(
                        RecordState.Damaged.class, d -> assertThat(d.reason()).contains(reason));
        assertThatThrownBy(() -> {
                    try (RecordStore record = open()) {
                        record.applied();
                        for (int i = 0; i < 200; i++) {
                            record.contentBefore("m/" + i);
                        }
                    }
                })
                .isInstanceOf(RecordFailure.class)
                .hasMessageContaining("cannot read the record " + database)
                .hasMessageContaining("apply --rebuild-record");
    }

    @Test
    void aWholeRecordIsFine() {
        assertThat(state(dir)).isEqualTo(new RecordState.Fine());
    }

    @Test
    void anEmptyFileIsDamage() throws IOException {
        overwrite(new byte[0]);
        isRefusedAsDamaged("it is empty");
        assertThatThrownBy(() -> {
                    try (RecordStore record = open()) {
                        record.serial(1);
                    }
                })
                .isInstanceOf(RecordFailure.class);
        assertThat(database).isEmptyFile();
    }

    @Test
    void aFileOfZeroBytesIsDamage() throws IOException {
        overwrite(new byte[65_536]);
        isRefusedAsDamaged("it is not a database");
    }

    @Test
    void anotherKindOfFileIsDamage() throws IOException {
        overwrite("{\"applied\": []}".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        isRefusedAsDamaged("it is not a database");
    }

    @Test
    void halfOfTheFileIsDamage() throws IOException {
        byte[] whole = Files.readAllBytes(database);
        overwrite(Arrays.copyOf(whole, whole.length / 2));
        isRefusedAsDamaged("");
    }

    @Test
    void aPageOfRubbishIsFoundByTheCheck() throws IOException {
        byte[] whole = Files.readAllBytes(database);
        Arrays.fill(whole, 4096 * 4, 4096 * 12, (byte) 0x5a);
        overwrite(whole);
        isRefusedAsDamaged("it is damaged");
    }

    @Test
    void anotherProgramsDatabaseIsDamage() throws Exception {
        Files.delete(database);
        try (var other = new org.sqlite.SQLiteConfig().createConnection("jdbc:sqlite:" + database);
                var statement = other.createStatement()) {
            statement.executeUpdate("create table theirs (a)");
        }
        isRefusedAsDamaged("it is another program's database");
    }

    @Test
    void aRecordOfANewerFormatIsLeftAlone() throws Exception {
        try (var other = new org.sqlite.SQLiteConfig().createConnection("jdbc:sqlite:" + database);
                var statement = other.createStatement()) {
            statement.executeUpdate("pragma user_version = 99");
        }
        assertThatThrownBy(this::open)
                .isInstanceOf(RecordFailure.class)
                .hasMessage("cannot read the record " + database
                        + ": a newer version wrote it (format 99, this one knows 1); install that version again");
    }

    @Test
    void aMissingRecordIsAbsentOnAMachineThatWasNeverAppliedTo() throws IOException {
        Files.delete(database);
        Path empty = Files.createDirectory(dir.resolve("daemons"));
        assertThat(state(empty, dir.resolve("known-good"))).isEqualTo(new RecordState.Absent());
    }

    @Test
    void aMissingRecordIsLostWhereTheHostHasLeftSomething() throws IOException {
        Files.delete(database);
        Path knownGood = Files.createFile(dir.resolve("known-good"));
        RecordState state = state(dir.resolve("nothing"), knownGood);
        assertThat(state).isEqualTo(new RecordState.Lost(knownGood));
        assertThat(RecordStores.refusal(database, (RecordState.Lost) state))
                .hasMessage("cannot find the record " + database + ": it is missing, yet " + knownGood
                        + " says that this machine was applied to before; restore it from a backup, or run apply"
                        + " --rebuild-record");
    }

    @Test
    void aBrokenRecordIsSetAsideWithItsLog() throws IOException {
        overwrite(new byte[100]);
        Files.write(dir.resolve("state/record.db-wal"), new byte[10]);
        Files.write(dir.resolve("state/record.db-shm"), new byte[10]);

        Path aside = RecordStores.setAside(database, Instant.parse("2026-03-01T12:00:00Z"));

        assertThat(aside).hasFileName("record.db.corrupt-20260301T120000Z").hasSize(100);
        assertThat(dir.resolve("state").toFile().list())
                .containsExactlyInAnyOrder(
                        "record.db.corrupt-20260301T120000Z", "record.db.corrupt-20260301T120000Z-wal");
        try (RecordStore record = open()) {
            record.serial(1);
            assertThat(record.applied()).isEmpty();
        }
    }

    @Test
    void whatAnInterruptedCreationLeftIsNoHindrance() throws IOException {
        Files.delete(database);
        Files.write(dir.resolve("state/record.db.new"), new byte[10]);
        Files.write(dir.resolve("state/record.db.new-wal"), new byte[10]);
        assertThat(state()).isEqualTo(new RecordState.Absent());
        try (RecordStore record = open()) {
            record.serial(1);
        }
        assertThat(dir.resolve("state").toFile().list()).containsExactly("record.db");
    }

    @Test
    void aLockedRecordIsSaidInWords() throws Exception {
        try (var other = new org.sqlite.SQLiteConfig().createConnection("jdbc:sqlite:" + database);
                var statement = other.createStatement();
                RecordStore record = open()) {
            statement.executeUpdate("begin immediate");
            assertThatThrownBy(() -> record.serial(1))
                    .isInstanceOf(RecordFailure.class)
                    .hasMessage("cannot write the record " + database + ": another program holds it locked; end that"
                            + " program, or try again when it is done");
            assertThat(record.serial()).isEqualTo(OptionalLong.of(9));
        }
    }

    @Test
    void theLibraryIsUnpackedOncePrivately() throws IOException {
        Path directory = Path.of(System.getProperty("org.sqlite.lib.path"));
        assertThat(directory).startsWith(lib);
        Path library = directory.resolve("libsqlitejdbc.so");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(lib)))
                .isEqualTo("rwx------");
        var made = Files.getLastModifiedTime(library);
        NativeLibrary.prepare(lib);
        assertThat(Files.getLastModifiedTime(library)).isEqualTo(made);
        assertThat(directory.toFile().list()).containsExactly("libsqlitejdbc.so");
    }

    @Test
    void aLibraryThatOthersMayWriteIsNotLoaded() throws IOException {
        Path directory = Path.of(System.getProperty("org.sqlite.lib.path"));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> NativeLibrary.prepare(lib))
                .isInstanceOf(RecordFailure.class)
                .hasMessageContaining("another user than root or this one may change it");
    }

    @Test
    void aLogThatAKilledWriterLeftIsReadAndFoldedInByTheNextWriter() throws Exception {
        Files.write(dir.resolve("state/stop"), new byte[0], StandardOpenOption.CREATE);
        try (RecordStore writer = open()) {
            writer.serial(10);
            // What a power cut would leave: the files as they are while the writer lives.
            Path cut = Files.createDirectory(dir.resolve("cut"));
            for (String name : List.of("record.db", "record.db-wal")) {
                Files.copy(dir.resolve("state").resolve(name), cut.resolve(name));
            }
            database = cut.resolve("record.db");
        }
        try (RecordStore record = open()) {
            assertThat(record.serial()).isEqualTo(OptionalLong.of(10));
            assertThat(record.applied()).hasSize(200);
            record.serial(11);
        }
        assertThat(database.resolveSibling("record.db-wal")).doesNotExist();
    }
}
