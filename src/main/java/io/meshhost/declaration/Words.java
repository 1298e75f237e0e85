package io.meshhost.declaration;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;

/** Wording that faults share. */
final class Words {
    /** After a number of bytes that is exceeded. */
    static final String UNTAKEN =
            " bytes, the most that Linux hands to a program in one word; put it into a file that the program reads";

    private static final int SHOWN = 60;

    private Words() {}

    /** Control characters and line separators made visible, so that what a document holds cannot fake a line of ours. */
    static String oneLine(String text) {
        if (text.chars().noneMatch(Words::invisible)) {
            return text;
        }
        StringBuilder out = new StringBuilder();
        text.chars().forEach(c -> out.append(invisible(c) ? String.format("\\u%04x", c) : String.valueOf((char) c)));
        return out.toString();
    }

    private static boolean invisible(int c) {
        return Character.isISOControl(c) || c == 0x2028 || c == 0x2029 || Character.getType(c) == Character.FORMAT;
    }

    /** In quotes, on one line, cut where it is long: a fault is one line whatever the document holds. */
    static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        int shown = 0;
        for (int i = 0; i < text.length() && shown < SHOWN; shown++) {
            int c = text.codePointAt(i);
            i += Character.charCount(c);
            switch (c) {
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                case '"' -> out.append("\\\"");
                default -> {
                    if (invisible(c)) {
                        out.append(String.format("\\u%04x", c));
                    } else if (Character.getType(c) == Character.SURROGATE) {
                        out.append('?');
                    } else {
                        out.appendCodePoint(c);
                    }
                }
            }
        }
        boolean cut = text.codePointCount(0, Math.min(text.length(), 4 * SHOWN)) > SHOWN;
        return out.append(cut ? "…\"" : "\"").toString();
    }

    /** As UTF-8, which is what a program is handed. */
    static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** "a, b or c". */
    static String or(Collection<String> words) {
        List<String> list = List.copyOf(words);
        if (list.size() < 2) {
            return String.join("", list);
        }
        return String.join(", ", list.subList(0, list.size() - 1)) + " or " + list.getLast();
    }
}
