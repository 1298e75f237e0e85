package io.meshhost.cli;

import io.meshhost.apply.Outcome;
import io.meshhost.converge.HostStatus;
import io.meshhost.machine.Places;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The page that an operator reads at three in the morning: is it well, since when, what is it doing, what failed and why, what to do. */
final class StatusText {
    private StatusText() {}

    static List<String> lines(HostStatus status, Places places, Instant now, Paint paint) {
        List<String> lines = new ArrayList<>();
        lines.add(status.node() + " is " + state(status.state(), paint) + ", since " + when(status.stateSince(), now));
        lines.add("");
        lines.add("  now          " + doing(status, now));
        lines.add("  declaration  " + declaration(status.declaration()));
        last(status, now, lines);
        HostStatus.Drift drift = status.drift();
        if (drift != null) {
            lines.add("  drift        mended " + when(drift.at(), now) + ": "
                    + drift.mended().stream().map(Outcome::id).collect(Collectors.joining(", ")));
        }
        lines.add("  host         " + status.version() + ", pid " + status.pid() + ", up since "
                + when(status.since(), now) + "; processes are kept by "
                + (status.supervisor().equals("built-in") ? "the host itself" : status.supervisor()));
        status.complaints().forEach(sentence -> lines.add("  setting      " + sentence));
        trouble(status, places, paint, lines);
        return lines;
    }

    private static String state(String state, Paint paint) {
        return switch (state) {
            case "well" -> paint.good("well");
            case "failed" -> paint.bad("not as declared: something failed");
            case "refused" -> paint.bad("not being changed: its declaration is refused");
            case "starting" -> paint.change("starting");
            default -> paint.change(state);
        };
    }

    private static String doing(HostStatus status, Instant now) {
        HostStatus.Work work = status.work();
        if (work == null) {
            return "waiting; it looks every few minutes, at once when the declaration changes, and on HUP";
        }
        String how = work.total() > 0 ? " (" + Math.max(0, work.done()) * 100 / work.total() + " %)" : "";
        return "reconciling (" + String.join(", ", work.why()) + ") since " + when(work.since(), now) + ": "
                + work.what() + how;
    }

    private static String declaration(HostStatus.Declared declared) {
        Long serial = declared.serial();
        return declared.file()
                + (serial == null ? "" : ", serial " + serial)
                + (declared.refused() == null ? "" : ", refused")
                + (declared.beingWritten() ? ", being written now" : "");
    }

    private static void last(HostStatus status, Instant now, List<String> lines) {
        HostStatus.Last last = status.last();
        if (last == null) {
            lines.add("  last         no reconcile has ended yet");
            return;
        }
        String error = last.error();
        lines.add("  last         " + String.join(", ", last.why()) + ", " + when(last.at(), now) + ", "
                + last.millis() + " ms: "
                + (error == null ? ReportText.summary(last.summary()) : "nothing was changed"));
        last.notes().forEach(note -> lines.add("  note         " + note));
    }

    private static void trouble(HostStatus status, Places places, Paint paint, List<String> lines) {
        HostStatus.Last last = status.last();
        String refused = status.declaration().refused();
        if (refused != null) {
            lines.add("");
            lines.add(paint.bad("refused: ") + refused);
            status.declaration().faults().forEach(fault -> lines.add("  " + fault));
            lines.add("what to do: mend " + status.declaration().file() + "; it is read at once, and can be tried with "
                    + Invocation.of("validate", places));
            return;
        }
        if (last == null) {
            return;
        }
        if (last.error() != null) {
            lines.add("");
            lines.add(paint.bad("failed: ") + last.error());
            lines.add("what to do: mend that; then " + Invocation.of("apply", places));
        }
        if (!last.failed().isEmpty()) {
            lines.add("");
            lines.addAll(ReportText.outcomes(last.failed(), paint));
            lines.add("what to do: mend what is said there; it is tried again within minutes, or now with "
                    + Invocation.of("apply", places));
        }
    }

    /** {@code 2026-11-29T03:00:00Z (2 h 5 min ago)}. */
    static String when(String at, Instant now) {
        return at + " (" + ago(Duration.between(Instant.parse(at), now)) + " ago)";
    }

    static String ago(Duration age) {
        Duration positive = age.isNegative() ? Duration.ZERO : age;
        if (positive.toDays() > 1) {
            return positive.toDays() + " days";
        }
        if (positive.toHours() > 0) {
            return positive.toHours() + " h " + positive.toMinutesPart() + " min";
        }
        return positive.toMinutes() > 0 ? positive.toMinutes() + " min" : positive.toSeconds() + " s";
    }
}
