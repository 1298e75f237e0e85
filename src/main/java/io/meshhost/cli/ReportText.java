package io.meshhost.cli;

import io.meshhost.apply.Action;
import io.meshhost.apply.Outcome;
import io.meshhost.apply.Report;
import io.meshhost.converge.Sentences;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A report of an apply for people: a line for each resource that did not stay as it was, the rest counted. */
final class ReportText {
    /** The longest word of an Action. */
    static final int ACTIONS = 9;

    private ReportText() {}

    static List<String> lines(Report report, Paint paint) {
        List<Outcome> shown = report.outcomes().stream()
                .filter(outcome -> !outcome.action().equals(Action.UNCHANGED.word()))
                .toList();
        List<String> lines = new ArrayList<>(outcomes(shown, paint));
        report.notes().forEach(note -> lines.add("note: " + note));
        String verdict = report.ok() ? paint.good("done") : paint.bad("failed");
        lines.add(verdict + ": " + summary(report.summary()));
        return lines;
    }

    /** Aligned: action, id, type, detail; an error under its own line, since it is what is looked for. */
    static List<String> outcomes(List<Outcome> outcomes, Paint paint) {
        int ids = outcomes.stream().mapToInt(o -> o.id().length()).max().orElse(0);
        int types = outcomes.stream().mapToInt(o -> o.type().length()).max().orElse(0);
        return outcomes.stream().map(o -> line(o, ids, types, paint)).toList();
    }

    private static String line(Outcome outcome, int ids, int types, Paint paint) {
        String error = outcome.error();
        String detail = error == null || error.isBlank() ? outcome.detail() : error;
        return (paint.action(outcome.action(), pad(outcome.action(), ACTIONS)) + "  " + pad(outcome.id(), ids) + "  "
                        + pad(outcome.type(), types) + "  " + hanging(detail, ACTIONS + ids + types + 6))
                .stripTrailing();
    }

    static String summary(Map<String, Integer> counts) {
        return Sentences.summary(counts);
    }

    /** The lines of a text that has several, all but the first under where the first stands. */
    static String hanging(String text, int column) {
        return text.replace("\n", "\n" + " ".repeat(column));
    }

    static String pad(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }
}
