package io.meshhost.apply;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A unified diff of two texts for a terminal: larger ones are told by their sizes, since a diff costs their product. */
final class TextDiff {
    /** Bytes of each of the two. */
    static final long LIMIT = 256 * 1024;

    private static final int CONTEXT = 3;
    private static final int COMPARED = 4000;
    private static final int SHOWN = 200;
    private static final int WIDTH = 400;

    private TextDiff() {}

    static List<String> of(String name, String before, String after) {
        long old = before.getBytes(StandardCharsets.UTF_8).length;
        long bytes = after.getBytes(StandardCharsets.UTF_8).length;
        return old > LIMIT || bytes > LIMIT
                ? List.of(tooLarge(old, bytes, "bytes"))
                : unified(name, lines(before), lines(after));
    }

    static String tooLarge(long before, long after, String what) {
        return "(too large to show: " + before + " -> " + after + " " + what + ")";
    }

    private static List<String> unified(String name, List<String> before, List<String> after) {
        if (before.size() > COMPARED || after.size() > COMPARED) {
            return List.of(tooLarge(before.size(), after.size(), "lines"));
        }
        List<String> diff =
                UnifiedDiffUtils.generateUnifiedDiff(name, name, before, DiffUtils.diff(before, after), CONTEXT);
        List<String> shown = new ArrayList<>();
        diff.stream().limit(SHOWN).map(TextDiff::cut).forEach(shown::add);
        if (diff.size() > SHOWN) {
            shown.add("(" + (diff.size() - SHOWN) + " more lines)");
        }
        return List.copyOf(shown);
    }

    private static String cut(String line) {
        return line.length() <= WIDTH
                ? line
                : line.substring(0, WIDTH) + " (" + (line.length() - WIDTH) + " more characters)";
    }

    /** A last line without its newline differs from one with it, as in diff(1). */
    private static List<String> lines(String text) {
        if (text.isEmpty()) {
            return List.of();
        }
        List<String> lines = new ArrayList<>(List.of(text.split("\n", -1)));
        if (lines.getLast().isEmpty()) {
            lines.removeLast();
        } else {
            lines.set(lines.size() - 1, lines.getLast() + " (no newline at the end)");
        }
        return lines;
    }
}
