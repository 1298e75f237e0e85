package io.meshhost.declaration;

import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** What the two readers of text agree on: keys once, text that every program can hold, and what an unquoted word is. */
final class Scalars {
    private static final Set<String> NOTHING = Set.of("", "~", "null", "Null", "NULL");
    private static final Set<String> FLAGS = Set.of("true", "True", "TRUE", "false", "False", "FALSE");
    private static final Set<String> LOOSE =
            Set.of("yes", "Yes", "YES", "no", "No", "NO", "on", "On", "ON", "off", "Off", "OFF");

    /** Whatever any version of YAML takes for a number. Linear: no part can match what the next one matches. */
    private static final Pattern NUMBER = Pattern.compile("[-+]?(0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+"
            + "|[0-9][0-9_]*(\\.[0-9_]*)?([eE][-+]?[0-9]+)?|\\.[0-9][0-9_]*([eE][-+]?[0-9]+)?|\\.(inf|Inf|INF)"
            + "|[0-9][0-9_]*(:[0-5]?[0-9])+)|\\.(nan|NaN|NAN)");

    private Scalars() {}

    /** What YAML's unquoted word is; what is not certain is left to the shapes to refuse. */
    static Node.Kind plain(String word) {
        if (NOTHING.contains(word)) {
            return Node.Kind.NOTHING;
        }
        if (FLAGS.contains(word)) {
            return Node.Kind.FLAG;
        }
        if (LOOSE.contains(word)) {
            return Node.Kind.LOOSE;
        }
        // A number that long is none, and the pattern's loop would use up the stack.
        return word.length() <= 128 && NUMBER.matcher(word).matches() ? Node.Kind.NUMBER : Node.Kind.TEXT;
    }

    /** Text, unless an escape made half a character of it, which no file, unit or process can be given. */
    static Node text(Place place, String text, Faults faults) {
        if (wellFormed(text)) {
            return new Node.Scalar(place, Node.Kind.TEXT, text, false);
        }
        faults.add(place, "the text holds half of a surrogate pair, which is not a character; write both halves");
        return new Node.Broken(place);
    }

    static void put(Map<String, Node.Entry> entries, String name, Node.Entry entry, Faults faults) {
        Node.Entry first = entries.putIfAbsent(name, entry);
        if (first != null) {
            faults.add(
                    entry.key(),
                    Words.quoted(name) + " is given twice; the first is at line "
                            + first.key().line() + ", remove one");
        }
    }

    private static boolean wellFormed(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                return false;
            }
        }
        return true;
    }
}
