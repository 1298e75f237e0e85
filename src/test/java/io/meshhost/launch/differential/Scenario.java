package io.meshhost.launch.differential;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One row of the table scenarios.txt: a machine, what its fake hosts do, and what must come of it.
 *
 * @param lines all of its lines but the name, as key and value
 */
record Scenario(String name, List<Line> lines) {
    record Line(String key, String value) {}

    static List<Scenario> table() {
        List<Scenario> all = new ArrayList<>();
        for (String block : text().split("\n{2,}", -1)) {
            List<Line> lines = Stream.of(block.split("\n", -1))
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(Scenario::line)
                    .toList();
            if (!lines.isEmpty()) {
                all.add(new Scenario(lines.getFirst().value(), lines.subList(1, lines.size())));
            }
        }
        return all;
    }

    private static Line line(String line) {
        int colon = line.indexOf(':');
        if (colon < 0) {
            throw new IllegalArgumentException("no key: " + line);
        }
        return new Line(
                line.substring(0, colon).strip(), line.substring(colon + 1).strip());
    }

    private static String text() {
        try (InputStream in = Scenario.class.getResourceAsStream("/launch/scenarios.txt")) {
            return new String(Objects.requireNonNull(in, "scenarios.txt").readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<String> all(String key) {
        return lines.stream()
                .filter(line -> line.key().equals(key))
                .map(Line::value)
                .toList();
    }

    Optional<String> one(String key) {
        return all(key).stream().findFirst();
    }

    /** How many launchers follow one another. */
    int launchers() {
        return one("launchers").map(Integer::parseInt).orElse(1);
    }

    /** Why the seed does something else; empty: it does the same. */
    Optional<String> why() {
        return one("why");
    }

    Outcome ours() {
        return expected("");
    }

    Outcome theirs() {
        return expected("seed ");
    }

    private Outcome expected(String prefix) {
        List<String> values = Outcome.KEYS.stream()
                .map(key -> one(prefix + key).or(() -> one(key)).orElse(Outcome.NONE))
                .toList();
        return new Outcome(values);
    }
}
