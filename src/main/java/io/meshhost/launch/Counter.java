package io.meshhost.launch;

import java.util.Optional;

/**
 * {@code start-attempts}: how many starts in a row have failed.
 *
 * @param complaint what is wrong with the file, when it counts as 0 for that
 */
record Counter(int count, Optional<String> complaint) {
    private static final int DIGITS = 6;

    static Counter of(int count) {
        return new Counter(count, Optional.empty());
    }

    /**
     * The first word of the first line, as the seed's {@code read -r count _} has it. What cannot be read counts as 0:
     * a damaged counter must never make a healthy machine give up.
     *
     * @param content of the file; empty where there is none
     */
    static Counter parse(Optional<String> content) {
        if (content.isEmpty()) {
            return of(0);
        }
        String text = content.get();
        int end = text.indexOf('\n');
        if (end < 0) {
            return damaged(text.isEmpty() ? "is empty" : "does not end with a newline");
        }
        String line = text.substring(0, end).strip();
        String word = line.split("[ \t]", 2)[0];
        if (!word.matches("[0-9]+")) {
            return damaged("holds no plain number");
        }
        return word.length() > DIGITS ? damaged("holds a number that cannot be true") : of(Integer.parseInt(word));
    }

    static Counter damaged(String how) {
        return new Counter(0, Optional.of("start-attempts " + how + "; it counts as 0"));
    }
}
