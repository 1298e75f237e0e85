package io.meshhost.launch;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A line of {@code arrivals}, {@code rejected} or {@code version-digests}: words, then a version's name, which may hold
 * spaces.
 */
record Named(List<String> words, String name) {

    /** Lines that have not so many words before a possible name are left out, and counted in {@code damaged}. */
    static List<Named> parse(Optional<String> text, int words, Runnable damaged) {
        List<Named> out = new ArrayList<>();
        text.orElse("").lines().filter(line -> !line.isBlank()).forEach(line -> {
            List<String> parts = List.of(line.split(" ", words + 1));
            if (parts.size() == words + 1 && Version.possible(parts.getLast())) {
                out.add(new Named(parts.subList(0, words), parts.getLast()));
            } else {
                damaged.run();
            }
        });
        return out;
    }

    String line() {
        return String.join(" ", words) + " " + name;
    }

    static String text(List<Named> lines) {
        StringBuilder text = new StringBuilder();
        lines.forEach(line -> text.append(line.line()).append('\n'));
        return text.toString();
    }
}
