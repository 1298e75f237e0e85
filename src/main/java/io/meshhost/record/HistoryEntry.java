package io.meshhost.record;

import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;

/**
 * One apply that changed something or failed.
 *
 * @param number counts up for ever; {@code history ID} takes it
 * @param why what set it off: "apply", "start", "every 10m", "declaration changed", "HUP"
 */
public record HistoryEntry(
        long number, Instant at, String why, OptionalLong serial, boolean ok, long millis, List<Line> lines) {

    /**
     * One resource that did not stay as it was.
     *
     * @param error empty where nothing failed
     */
    public record Line(String id, String type, String action, String detail, String error, long millis) {}
}
