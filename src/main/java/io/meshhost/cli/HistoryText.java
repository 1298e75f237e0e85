package io.meshhost.cli;

import io.meshhost.apply.Outcome;
import io.meshhost.record.HistoryEntry;
import java.util.ArrayList;
import java.util.List;

/** What changed on this machine, when and why, newest first. */
final class HistoryText {
    private HistoryText() {}

    static List<String> lines(List<HistoryEntry> entries, Paint paint) {
        if (entries.isEmpty()) {
            return List.of("nothing has been changed on this machine yet");
        }
        List<String> lines = new ArrayList<>();
        for (HistoryEntry entry : entries) {
            lines.add("#" + entry.number() + "  " + entry.at().truncatedTo(java.time.temporal.ChronoUnit.SECONDS) + "  "
                    + entry.why()
                    + (entry.serial().isPresent() ? ", serial " + entry.serial().getAsLong() : "")
                    + ", " + entry.millis() + " ms" + (entry.ok() ? "" : ", " + paint.bad("failed")));
            ReportText.outcomes(entry.lines().stream().map(HistoryText::outcome).toList(), paint)
                    .forEach(line -> lines.add("    " + ReportText.hanging(line, 4)));
        }
        return lines;
    }

    private static Outcome outcome(HistoryEntry.Line line) {
        return new Outcome(line.id(), line.type(), line.action(), line.detail(), line.error(), line.millis());
    }
}
