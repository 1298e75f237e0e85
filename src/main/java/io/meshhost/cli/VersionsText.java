package io.meshhost.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meshhost.launch.Versions.Listing;
import io.meshhost.launch.Versions.Row;
import java.util.ArrayList;
import java.util.List;

/** Versions of the host, for eyes and for programs. */
final class VersionsText {
    private VersionsText() {}

    static List<String> lines(Listing listing, Paint paint) {
        List<String> lines = new ArrayList<>();
        int width = listing.rows().stream()
                .mapToInt(row -> row.name().length())
                .max()
                .orElse(0);
        for (Row row : listing.rows()) {
            String marks = String.join(", ", marks(row));
            String line = (row.running() ? "* " : "  ") + pad(row.name(), marks.isEmpty() ? 0 : width + 2) + marks;
            lines.add(row.rejected() ? paint.bad(line) : row.running() ? paint.good(line) : line);
        }
        if (listing.rows().isEmpty()) {
            lines.add("no version is delivered");
        }
        lines.add("");
        listing.halted()
                .ifPresent(reason ->
                        lines.add(paint.bad("halted: ") + reason + "; nothing is started until nox-mesh-host resume"));
        lines.add("next to run: "
                + listing.next().map(next -> next + ", since " + listing.why()).orElse("nothing: " + listing.why()));
        listing.pinnedBy()
                .ifPresent(by -> lines.add(
                        by.equals("operator")
                                ? "pinned by an operator, until nox-mesh-host unpin"
                                : "pinned by a rollback, until other bytes than the rejected ones arrive"));
        if (listing.failures() > 0) {
            lines.add("failures in a row: " + listing.failures());
        }
        listing.notes().forEach(note -> lines.add("note: " + note));
        return lines;
    }

    private static String pad(String name, int width) {
        return name + " ".repeat(Math.max(0, width - name.length()));
    }

    private static List<String> marks(Row row) {
        List<String> marks = new ArrayList<>();
        mark(marks, row.running(), "running");
        mark(marks, row.pinned(), "pinned");
        mark(marks, row.knownGood(), "known good");
        mark(marks, row.rejected(), "rejected");
        mark(marks, row.arrival().isEmpty(), "arrival not recorded");
        return marks;
    }

    private static void mark(List<String> marks, boolean has, String word) {
        if (has) {
            marks.add(word);
        }
    }

    static String json(Listing listing) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        ArrayNode rows = node.putArray("versions");
        for (Row row : listing.rows()) {
            ObjectNode at = rows.addObject().put("version", row.name());
            row.arrival().ifPresent(number -> at.put("arrival", number));
            at.put("running", row.running())
                    .put("pinned", row.pinned())
                    .put("knownGood", row.knownGood())
                    .put("rejected", row.rejected());
        }
        listing.next().ifPresent(next -> node.put("next", next));
        node.put("why", listing.why());
        listing.pinnedBy().ifPresent(by -> node.put("pinnedBy", by));
        listing.halted().ifPresent(reason -> node.put("halted", reason));
        node.put("failures", listing.failures());
        ArrayNode notes = node.putArray("notes");
        listing.notes().forEach(notes::add);
        return node.toString();
    }
}
