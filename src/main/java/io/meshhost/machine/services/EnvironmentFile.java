package io.meshhost.machine.services;

import io.meshhost.machine.MachineFailure;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The syntax of systemd.exec(5) {@code EnvironmentFile=}: KEY=VALUE a line, comments with {@code #} or
 * {@code ;}, single and double quotes, a backslash before a newline to go on. No expansion of any kind.
 *
 * <p>A machine of states over characters, as systemd's own reader is: only so do all its corners agree.
 */
final class EnvironmentFile {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final String BLANK = " \t\n\r";
    private static final String NEWLINE = "\n\r";
    private static final String ESCAPED_IN_QUOTES = "\"\\`$";

    private enum At {
        BEFORE_KEY,
        KEY,
        BEFORE_VALUE,
        VALUE,
        ESCAPE,
        SINGLE,
        DOUBLE,
        DOUBLE_ESCAPE,
        COMMENT
    }

    private final SortedMap<String, String> found = new TreeMap<>();
    private final StringBuilder key = new StringBuilder();
    private final StringBuilder value = new StringBuilder();
    /** How much of the value must stay though it ends in blanks: they were quoted or escaped. */
    private int solid;

    private At at = At.BEFORE_KEY;

    private EnvironmentFile() {}

    /**
     * Lines whose name is no name of a variable are left out, as systemd does; the last of two wins.
     *
     * @param path named in the failure only
     * @throws MachineFailure when it is not UTF-8 or holds a NUL byte: no process could be given that
     */
    static SortedMap<String, String> parse(byte[] bytes, Path path) {
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new MachineFailure("cannot read " + path + ": it is not UTF-8 text; write it anew as UTF-8", e);
        }
        if (text.indexOf('\0') >= 0) {
            throw new MachineFailure("cannot read " + path + ": it holds a NUL byte; remove it");
        }
        EnvironmentFile reader = new EnvironmentFile();
        text.chars().forEach(c -> reader.take((char) c));
        reader.end();
        return reader.found;
    }

    /** The reverse, for values of any bytes but NUL: everything in double quotes, a name a line. */
    static String render(Map<String, String> variables) {
        StringBuilder out = new StringBuilder();
        new TreeMap<>(variables).forEach((name, text) -> {
            out.append(name).append("=\"");
            text.chars().forEach(c -> {
                if (ESCAPED_IN_QUOTES.indexOf(c) >= 0) {
                    out.append('\\');
                }
                out.append((char) c);
            });
            out.append("\"\n");
        });
        return out.toString();
    }

    private void take(char c) {
        switch (at) {
            case BEFORE_KEY -> beforeKey(c);
            case KEY -> inKey(c);
            case BEFORE_VALUE -> beforeValue(c);
            case VALUE -> inValue(c);
            case ESCAPE -> escaped(c);
            case SINGLE -> quoted(c, '\'');
            case DOUBLE -> quoted(c, '"');
            case DOUBLE_ESCAPE -> escapedInQuotes(c);
            case COMMENT -> at = in(NEWLINE, c) ? At.BEFORE_KEY : At.COMMENT;
        }
    }

    private void beforeKey(char c) {
        if (in("#;", c)) {
            at = At.COMMENT;
        } else if (!in(BLANK, c)) {
            key.append(c);
            at = At.KEY;
        }
    }

    private void inKey(char c) {
        if (in(NEWLINE, c)) {
            forget();
        } else if (c == '=') {
            at = At.BEFORE_VALUE;
        } else {
            key.append(c);
        }
    }

    private void beforeValue(char c) {
        switch (c) {
            case '\n', '\r' -> keep();
            case '\'' -> at = At.SINGLE;
            case '"' -> at = At.DOUBLE;
            case '\\' -> at = At.ESCAPE;
            case ' ', '\t' -> {}
            default -> {
                value.append(c);
                at = At.VALUE;
            }
        }
    }

    private void inValue(char c) {
        if (in(NEWLINE, c)) {
            trim();
            keep();
        } else if (c == '\\') {
            at = At.ESCAPE;
        } else {
            value.append(c);
        }
    }

    private void escaped(char c) {
        at = At.VALUE;
        if (!in(NEWLINE, c)) {
            value.append(c);
        }
        solid = value.length();
    }

    private void quoted(char c, char quote) {
        if (c == quote) {
            solid = value.length();
            at = At.BEFORE_VALUE;
        } else if (c == '\\' && quote == '"') {
            at = At.DOUBLE_ESCAPE;
        } else {
            value.append(c);
        }
    }

    private void escapedInQuotes(char c) {
        at = At.DOUBLE;
        if (in(ESCAPED_IN_QUOTES, c)) {
            value.append(c);
        } else if (c != '\n') {
            value.append('\\').append(c);
        }
    }

    private void end() {
        switch (at) {
            case VALUE -> {
                trim();
                keep();
            }
            case BEFORE_VALUE, ESCAPE, SINGLE, DOUBLE, DOUBLE_ESCAPE -> keep();
            case BEFORE_KEY, KEY, COMMENT -> forget();
        }
    }

    private void trim() {
        int end = value.length();
        while (end > solid && in(BLANK, value.charAt(end - 1))) {
            end--;
        }
        value.setLength(end);
    }

    private void keep() {
        String name = key.toString().stripTrailing();
        if (NAME.matcher(name).matches()) {
            found.put(name, value.toString());
        }
        forget();
    }

    private void forget() {
        key.setLength(0);
        value.setLength(0);
        solid = 0;
        at = At.BEFORE_KEY;
    }

    private static boolean in(String set, char c) {
        return set.indexOf(c) >= 0;
    }
}
