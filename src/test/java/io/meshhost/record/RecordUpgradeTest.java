package io.meshhost.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhost.record.Applied.Origin;
import io.meshhost.record.Applied.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every format that was ever released stays readable: of each a file written by the program of its day is kept in
 * {@code src/test/resources/record}, and is never made anew.
 */
class RecordUpgradeTest {
    private static final Path KEPT = Path.of("src/test/resources/record");
    private static final String TABLE_OF_THE_FUTURE = "create table of_the_future (a text not null)";

    @TempDir
    Path dir;

    private Path database;

    @BeforeEach
    void place() {
        database = dir.resolve("record.db");
    }

    private void kept(int format) throws IOException {
        Files.copy(KEPT.resolve("format-" + format + ".db"), database);
    }

    private RecordStore open(Schema schema) {
        Database opened = new Database(database, dir.resolve("lib"), schema, true);
        try {
            opened.check();
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
        return new SqliteRecord(opened);
    }

    private static Schema next(String... statements) {
        List<List<String>> steps = new ArrayList<>(Schema.CURRENT.steps());
        steps.add(List.of(statements));
        return new Schema(steps);
    }

    private String ask(String sql) throws Exception {
        NativeLibrary.prepare(dir.resolve("lib"));
        try (Connection plain = new org.sqlite.SQLiteConfig().createConnection("jdbc:sqlite:" + database);
                Statement statement = plain.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            return result.next() ? result.getString(1) : "nothing";
        }
    }

    private static void holdsWhatFormat1Held(RecordStore record) {
        assertThat(record.applied().values())
                .containsExactly(
                        new Applied(
                                "web/page",
                                "file",
                                "/srv/www/index.html",
                                Origin.KNOWN,
                                State.APPLIED,
                                "want-1",
                                "seen-1",
                                "{\"mode\":\"0644\"}",
                                "{\"parents\":[\"/srv/www\"]}",
                                1),
                        new Applied(
                                "web/user", "user", "www", Origin.UNKNOWN, State.APPLIED, "want-2", "", "{}", "{}", 2),
                        new Applied(
                                "web/daemon",
                                "process",
                                "web",
                                Origin.KNOWN,
                                State.PENDING,
                                "",
                                "",
                                "{\"absent\":true}",
                                "{}",
                                3));
        assertThat(record.contentBefore("web/page")).map(String::new).hasValue("the old page\n");
        assertThat(record.owed()).isEqualTo(Map.of("web/daemon", Set.of("web/page")));
        assertThat(record.serial()).isEqualTo(OptionalLong.of(7));
        assertThat(HexFormat.of().formatHex(record.secretKey()))
                .isEqualTo("058d5807b284e408460312883e8d14e2125720c305b619fbdef26573e67ba695");
        assertThat(record.history(Optional.empty(), 10))
                .containsExactly(new HistoryEntry(
                        1,
                        Instant.parse("2026-03-01T12:00:00.123456789Z"),
                        "apply",
                        OptionalLong.of(7),
                        true,
                        34,
                        List.of(
                                new HistoryEntry.Line("web/page", "file", "created", "0644 root, 13 bytes", "", 12),
                                new HistoryEntry.Line(
                                        "web/daemon",
                                        "process",
                                        "failed",
                                        "",
                                        "cannot start it: café; look at its log",
                                        20))));
    }

    @Test
    void ofEachFormatAFileIsKept() {
        for (int format = 1; format <= Schema.CURRENT.latest(); format++) {
            assertThat(KEPT.resolve("format-" + format + ".db")).isRegularFile();
        }
    }

    @Test
    void whatFormat1HeldIsReadAndMayBeWrittenTo() throws IOException {
        kept(1);
        assertThat(RecordStores.state(database, dir.resolve("lib"), List.of())).isEqualTo(new RecordState.Fine());
        try (RecordStore record = RecordStores.open(database, dir.resolve("lib"), true)) {
            holdsWhatFormat1Held(record);
            record.serial(7);
            record.begin(List.of());
            holdsWhatFormat1Held(record);
            record.finish(List.of(), List.of("web/user"), Map.of(), Set.of("web/daemon"));
            assertThat(record.applied()).containsOnlyKeys("web/page", "web/daemon");
            assertThat(record.owed()).isEmpty();
        }
    }

    @Test
    void openingAnOlderFormatBringsItUpToDateAndKeepsEverything() throws Exception {
        kept(1);
        try (RecordStore record = open(next(TABLE_OF_THE_FUTURE))) {
            holdsWhatFormat1Held(record);
        }
        assertThat(ask("pragma user_version")).isEqualTo("2");
        assertThat(ask("select count(*) from of_the_future")).isEqualTo("0");
        assertThat(ask("pragma integrity_check")).isEqualTo("ok");
    }

    @Test
    void anUpgradeThatFailsHalfWayLeavesTheOldFormatWhole() throws Exception {
        kept(1);
        Schema broken = next(TABLE_OF_THE_FUTURE, "alter table nowhere add column b text");
        assertThatThrownBy(() -> open(broken)).isInstanceOf(RecordFailure.class);
        assertThat(ask("pragma user_version")).isEqualTo("1");
        assertThat(ask("select count(*) from sqlite_schema where name = 'of_the_future'"))
                .isEqualTo("0");
        try (RecordStore record = open(Schema.CURRENT)) {
            holdsWhatFormat1Held(record);
        }
    }

    @Test
    void aNewerFormatIsRefusedInOneSentenceAndLeftAsItIs() throws Exception {
        kept(1);
        open(next(TABLE_OF_THE_FUTURE)).close();
        byte[] before = Files.readAllBytes(database);
        assertThatThrownBy(() -> RecordStores.open(database, dir.resolve("lib"), true))
                .isInstanceOf(RecordFailure.class)
                .hasMessage("cannot read the record " + database
                        + ": a newer version wrote it (format 2, this one knows 1); install that version again");
        assertThat(database).hasBinaryContent(before);
        assertThat(dir.toFile().list()).containsExactlyInAnyOrder("record.db", "lib");
    }
}
