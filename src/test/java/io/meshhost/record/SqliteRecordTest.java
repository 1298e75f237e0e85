package io.meshhost.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhost.record.Applied.State;
import io.meshhost.record.RecordStore.Beginning;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteRecordTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00.123456789Z");

    @TempDir
    Path dir;

    private Path database() {
        return dir.resolve("state/record.db");
    }

    private RecordStore open() {
        return RecordStores.open(database(), dir.resolve("lib"), true);
    }

    private static Applied row(String id, String target) {
        return Applied.first(id, "file", target, "{\"absent\":true}");
    }

    private static Beginning beginning(Applied row, String content) {
        return new Beginning(row, Optional.of(content.getBytes(StandardCharsets.UTF_8)));
    }

    private static void finish(RecordStore record, Applied... rows) {
        record.finish(List.of(rows), List.of(), Map.of(), Set.of());
    }

    private static Applied at(RecordStore record, String id) {
        return Applied.of(record.applied(), id).orElseThrow();
    }

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
    void rowsComeBackAsGivenInOrderOfFirstApplying() {
        Applied b = row("m/b", "/etc/b");
        Applied a = row("m/a", "/etc/\u00e9 'quoted'");
        try (RecordStore record = open()) {
            record.begin(List.of(new Beginning(b, Optional.empty())));
            record.begin(List.of(new Beginning(a, Optional.empty())));
            finish(record, a.applied("want", "signature", "{\"made\":[]}"));
            assertThat(record.applied().values())
                    .containsExactly(
                            new Applied(
                                    "m/b",
                                    "file",
                                    "/etc/b",
                                    Applied.Origin.KNOWN,
                                    State.PENDING,
                                    "",
                                    "",
                                    b.before(),
                                    "{}",
                                    1),
                            new Applied(
                                    "m/a",
                                    "file",
                                    "/etc/\u00e9 'quoted'",
                                    Applied.Origin.KNOWN,
                                    State.APPLIED,
                                    "want",
                                    "signature",
                                    a.before(),
                                    "{\"made\":[]}",
                                    2));
        }
    }

    // SV-06: what was found is recorded before the change and never overwritten by a later apply.
    @Test
    void whatWasThereBeforeIsNeverOverwritten() {
        try (RecordStore record = open()) {
            record.begin(List.of(beginning(row("m/a", "/etc/a"), "first")));
            record.begin(List.of(beginning(Applied.first("m/a", "file", "/etc/a", "{\"second\":1}"), "second")));
            finish(
                    record,
                    Applied.first("m/a", "file", "/etc/a", "{\"third\":1}").applied("w", "s", "{}"));

            assertThat(at(record, "m/a").before()).isEqualTo("{\"absent\":true}");
            assertThat(record.contentBefore("m/a"))
                    .hasValueSatisfying(b ->
                            assertThat(new String(b, StandardCharsets.UTF_8)).isEqualTo("first"));
        }
    }

    @Test
    void aRenamedResourceInheritsWhatWasThereBefore() {
        try (RecordStore record = open()) {
            record.begin(List.of(beginning(row("m/old", "/etc/a"), "first")));
            Applied old = at(record, "m/old").applied("w", "s", "{}");
            record.finish(List.of(old.renamed("m/new")), List.of("m/old"), Map.of(), Set.of());

            assertThat(record.applied()).containsOnlyKeys("m/new");
            assertThat(at(record, "m/new").position()).isEqualTo(1);
            assertThat(record.contentBefore("m/new"))
                    .hasValueSatisfying(b ->
                            assertThat(new String(b, StandardCharsets.UTF_8)).isEqualTo("first"));
            assertThat(record.contentBefore("m/old")).isEmpty();
        }
    }

    @Test
    void anIdThatNowMeansAnotherTargetKeepsWhatThatTargetHeld() {
        try (RecordStore record = open()) {
            record.begin(List.of(beginning(row("m/a", "/etc/a"), "of a")));
            record.begin(List.of(beginning(Applied.first("m/a", "file", "/etc/b", "{\"b\":1}"), "of b")));
            assertThat(at(record, "m/a").before()).isEqualTo("{\"b\":1}");
            assertThat(record.contentBefore("m/a"))
                    .hasValueSatisfying(b ->
                            assertThat(new String(b, StandardCharsets.UTF_8)).isEqualTo("of b"));
        }
    }

    @Test
    void restartsAreOwedUntilPaid() {
        try (RecordStore record = open()) {
            record.begin(List.of(new Beginning(row("m/web", "web"), Optional.empty())));
            record.finish(List.of(), List.of(), Map.of("m/web", Set.of("m/a", "m/b"), "m/db", Set.of()), Set.of());
        }
        try (RecordStore record = open()) {
            assertThat(record.owed()).isEqualTo(Map.of("m/web", Set.of("m/a", "m/b"), "m/db", Set.of()));
            record.finish(List.of(), List.of(), Map.of("m/web", Set.of("m/c")), Set.of("m/web"));
            assertThat(record.owed()).isEqualTo(Map.of("m/web", Set.of("m/c"), "m/db", Set.of()));
            record.finish(List.of(), List.of("m/web"), Map.of(), Set.of("m/db"));
            assertThat(record.owed()).isEmpty();
        }
    }

    @Test
    void theSerialIsKept() {
        try (RecordStore record = open()) {
            record.serial(Long.MAX_VALUE);
        }
        try (RecordStore record = open()) {
            assertThat(record.serial()).isEqualTo(OptionalLong.of(Long.MAX_VALUE));
        }
    }

    @Test
    void theSecretKeyStaysTheSameOnceSomethingIsWritten() {
        byte[] first;
        try (RecordStore record = open()) {
            first = record.secretKey();
            assertThat(first).hasSize(32).isEqualTo(record.secretKey());
            assertThat(database()).doesNotExist();
            record.serial(1);
        }
        try (RecordStore record = open()) {
            assertThat(record.secretKey()).isEqualTo(first);
        }
    }

    @Test
    void historyComesBackNewestFirst() {
        try (RecordStore record = open()) {
            assertThat(record.history(entry(NOON, "m/a", "m/b"))).isEqualTo(1);
            assertThat(record.history(entry(NOON.plusSeconds(1), "m/b"))).isEqualTo(2);
            List<HistoryEntry> all = record.history(Optional.empty(), 10);
            assertThat(all).extracting(HistoryEntry::number).containsExactly(2L, 1L);
            assertThat(all.get(1)).isEqualTo(numbered(1, entry(NOON, "m/a", "m/b")));
            assertThat(record.history(Optional.empty(), 1))
                    .extracting(HistoryEntry::number)
                    .containsExactly(2L);
            assertThat(record.history(Optional.of("m/a"), 10)).containsExactly(numbered(1, entry(NOON, "m/a")));
        }
    }

    @Test
    void historyIsKeptToAThousandEntriesAndNinetyDays() {
        try (RecordStore record = open()) {
            for (int i = 0; i < 1_005; i++) {
                record.history(entry(NOON.plusSeconds(i), "m/a"));
            }
            assertThat(record.history(Optional.empty(), 9_999))
                    .hasSize(1_000)
                    .last()
                    .extracting(HistoryEntry::number)
                    .isEqualTo(6L);
            long number = record.history(entry(NOON.plus(Duration.ofDays(90)).plusSeconds(900), "m/a"));
            assertThat(number).isEqualTo(1_006);
            assertThat(record.history(Optional.empty(), 9_999)).hasSize(106);
        }
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

    @Test
    void tenThousandRowsAreReadInTensOfMilliseconds() {
        List<Beginning> rows = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            rows.add(new Beginning(row("module/resource-" + i, "/etc/some/where/file-" + i), Optional.empty()));
        }
        try (RecordStore record = open()) {
            record.begin(rows);
        }
        long best = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            try (RecordStore record = open()) {
                long start = System.nanoTime();
                assertThat(record.applied()).hasSize(10_000);
                best = Math.min(best, System.nanoTime() - start);
            }
        }
        assertThat(Duration.ofNanos(best)).isLessThan(Duration.ofMillis(500));
    }

    private static HistoryEntry entry(Instant at, String... ids) {
        List<HistoryEntry.Line> lines = new ArrayList<>();
        for (String id : ids) {
            lines.add(new HistoryEntry.Line(id, "file", "updated", "mode 0600 -> 0644", "", 12));
        }
        return new HistoryEntry(0, at, "apply", OptionalLong.of(4), true, 34, lines);
    }

    private static HistoryEntry numbered(long number, HistoryEntry e) {
        return new HistoryEntry(number, e.at(), e.why(), e.serial(), e.ok(), e.millis(), e.lines());
    }
}
