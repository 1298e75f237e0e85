package io.meshhost.cli;

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
            for (HistoryEntry.Line line : entry.lines()) {
                String said = line.error().isEmpty() ? line.detail() : line.error();
                lines.add("    " + paint.action(line.action(), ReportText.pad(line.action(), 9)) + "  " + line.id()
                        + "  " + line.type() + "  " + said);
            }
        }
        return lines;
    }
}
