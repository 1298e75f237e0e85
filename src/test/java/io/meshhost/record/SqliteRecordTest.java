package io.meshhost.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.record.Applied.State;
import io.meshhost.record.RecordStore.Beginning;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is written comes back, what was there before is kept, and restarts are owed until paid. */
class SqliteRecordTest extends RecordFixture {
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

    @Test
    void rowsThatSomebodyElseWroteAreSeen() {
        try (RecordStore reading = open();
                RecordStore writing = open()) {
            finish(writing, row("m/a", "/etc/a").applied("first", "s", "{}"));
            assertThat(at(reading, "m/a").want()).isEqualTo("first");
            finish(writing, row("m/a", "/etc/a").applied("second", "s", "{}"));
            assertThat(at(reading, "m/a").want()).isEqualTo("second");

            // By now each has a connection that writes.
            finish(reading, row("m/a", "/etc/a").applied("third", "s", "{}"));
            assertThat(at(reading, "m/a").want()).isEqualTo("third");
            assertThat(at(writing, "m/a").want()).isEqualTo("third");
            finish(writing, row("m/a", "/etc/a").applied("fourth", "s", "{}"));
            assertThat(at(reading, "m/a").want()).isEqualTo("fourth");
            assertThat(at(reading, "m/a")).isSameAs(at(reading, "m/a"));
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
}
