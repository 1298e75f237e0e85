package io.meshhost.cli;

import io.meshhost.apply.Action;
import io.meshhost.apply.Outcome;
import io.meshhost.apply.Report;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A report of an apply for people: a line for each resource that did not stay as it was, the rest counted. */
final class ReportText {
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
        return (paint.action(outcome.action(), pad(outcome.action(), 9)) + "  " + pad(outcome.id(), ids) + "  "
                        + pad(outcome.type(), types) + "  " + detail)
                .stripTrailing();
    }

    /** {@code 1 created, 3 unchanged}, in the order of {@link Action}. */
    static String summary(Map<String, Integer> counts) {
        String text = Arrays.stream(Action.values())
                .map(Action::word)
                .filter(word -> counts.getOrDefault(word, 0) > 0)
                .map(word -> counts.get(word) + " " + word)
                .collect(Collectors.joining(", "));
        return text.isEmpty() ? "nothing is declared" : text;
    }

    static String pad(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }
}
