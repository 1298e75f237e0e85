package io.meshhost.record;

import io.meshhost.record.RecordStore.Beginning;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;

/** A record in a folder of its own, and rows to put into it. */
abstract class RecordFixture {
    static final Instant NOON = Instant.parse("2026-03-01T12:00:00.123456789Z");

    @TempDir
    Path dir;

    Path database() {
        return dir.resolve("state/record.db");
    }

    RecordStore open() {
        return RecordStores.open(database(), dir.resolve("lib"), true);
    }

    static Applied row(String id, String target) {
        return Applied.first(id, "file", target, "{\"absent\":true}");
    }

    static Beginning beginning(Applied row, String content) {
        return new Beginning(row, Optional.of(content.getBytes(StandardCharsets.UTF_8)));
    }

    static void finish(RecordStore record, Applied... rows) {
        record.finish(List.of(rows), List.of(), Map.of(), Set.of());
    }

    static Applied at(RecordStore record, String id) {
        return Applied.of(record.applied(), id).orElseThrow();
    }

    static HistoryEntry entry(Instant at, String... ids) {
        List<HistoryEntry.Line> lines = new ArrayList<>();
        for (String id : ids) {
            lines.add(new HistoryEntry.Line(id, "file", "updated", "mode 0600 -> 0644", "", 12));
        }
        return new HistoryEntry(0, at, "apply", OptionalLong.of(4), true, 34, lines);
    }
}
