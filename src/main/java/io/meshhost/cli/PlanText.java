package io.meshhost.cli;

import io.meshhost.apply.Action;
import io.meshhost.apply.Change;
import io.meshhost.apply.Outcome;
import io.meshhost.apply.Plan;
import io.meshhost.apply.Report;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A plan for people, with the diff of each change; and as the report that an apply of it would give. */
final class PlanText {
    private PlanText() {}

    static List<String> lines(Plan plan, Paint paint) {
        List<Change> shown = plan.changes().stream()
                .filter(change -> change.action() != Action.UNCHANGED)
                .toList();
        int ids = shown.stream().mapToInt(c -> c.id().length()).max().orElse(0);
        int types = shown.stream().mapToInt(c -> c.type().length()).max().orElse(0);
        List<String> lines = new ArrayList<>();
        for (Change change : shown) {
            String word = change.action().word();
            lines.add((paint.action(word, ReportText.pad(word, ReportText.ACTIONS)) + "  "
                            + ReportText.pad(change.id(), ids) + "  "
                            + ReportText.pad(change.type(), types) + "  "
                            + ReportText.hanging(change.detail(), ReportText.ACTIONS + ids + types + 6))
                    .stripTrailing());
            change.diff().lines().forEach(line -> lines.add("    " + diff(line, paint)));
        }
        plan.notes().forEach(note -> lines.add("note: " + note));
        lines.add((plan.pending() == 0 ? paint.good("nothing to do") : paint.change("to do")) + ": "
                + ReportText.summary(summary(plan)));
        return lines;
    }

    private static String diff(String line, Paint paint) {
        if (line.startsWith("+")) {
            return paint.good(line);
        }
        return line.startsWith("-") ? paint.bad(line) : line;
    }

    /** The report that an apply of it would give, were nothing to go wrong. */
    static Report report(Plan plan) {
        List<Outcome> outcomes = plan.changes().stream().map(PlanText::outcome).toList();
        boolean ok = plan.changes().stream().noneMatch(change -> change.action() == Action.FAILED);
        return new Report(ok, plan.node(), serial(plan.serial()), outcomes, summary(plan), plan.notes());
    }

    private static @Nullable Long serial(OptionalLong serial) {
        return serial.isPresent() ? serial.getAsLong() : null;
    }

    private static Outcome outcome(Change change) {
        boolean failed = change.action() == Action.FAILED;
        return new Outcome(
                change.id(),
                change.type(),
                change.action().word(),
                change.detail(),
                failed ? change.detail() : null,
                0);
    }

    private static Map<String, Integer> summary(Plan plan) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        plan.changes().forEach(change -> counts.merge(change.action().word(), 1, Integer::sum));
        return counts;
    }
}
