package io.meshhost.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The history: newest first, and never too long. */
class RecordHistoryTest extends RecordFixture {
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

    private static HistoryEntry numbered(long number, HistoryEntry e) {
        return new HistoryEntry(number, e.at(), e.why(), e.serial(), e.ok(), e.millis(), e.lines());
    }
}
