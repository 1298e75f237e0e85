package io.meshhost.machine;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** /etc/passwd or /etc/group in memory, read again when another file stands there or this one was changed. */
final class AccountFile {
    private final Path file;
    private final Runnable onChange;
    private Loaded loaded = new Loaded(Optional.empty(), List.of());

    AccountFile(Path file, Runnable onChange) {
        this.file = file;
        this.onChange = onChange;
    }

    Optional<Line> line(String name) {
        return lines().stream().filter(line -> line.name().equals(name)).findFirst();
    }

    /** The first that has the number, as getpwuid(3) answers. */
    Optional<Line> line(int id) {
        return lines().stream().filter(line -> line.id() == id).findFirst();
    }

    synchronized List<Line> lines() {
        try {
            Optional<Stat> now = Stats.find(file);
            if (!now.equals(loaded.stat)) {
                List<Line> lines = now.isPresent() ? parse(Files.readAllBytes(file)) : List.of();
                loaded = new Loaded(now, lines);
                onChange.run();
            }
            return loaded.lines;
        } catch (IOException e) {
            throw new MachineFailure("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    /** A comment field in an old encoding must not make the whole file unreadable. */
    private static List<Line> parse(byte[] bytes) {
        String text = new String(bytes, UTF_8);
        return (text.indexOf('\uFFFD') < 0 ? text : new String(bytes, ISO_8859_1))
                .lines()
                .map(Line::parse)
                .flatMap(Optional::stream)
                .toList();
    }

    private record Loaded(Optional<Stat> stat, List<Line> lines) {}

    /** The fields of one line (passwd(5), group(5)): name, password, number, and what follows. */
    record Line(String name, int id, List<String> fields) {
        static Optional<Line> parse(String text) {
            List<String> fields = List.of(text.split(":", -1));
            // Lines that begin with + or - are switches of the old "compat" service, not accounts.
            if (fields.size() < 3 || text.startsWith("+") || text.startsWith("-") || text.startsWith("#")) {
                return Optional.empty();
            }
            try {
                return Optional.of(new Line(fields.getFirst(), Integer.parseUnsignedInt(fields.get(2)), fields));
            } catch (NumberFormatException e) {
                return Optional.empty();
            }
        }

        Optional<Path> path(int field) {
            return fields.size() > field && !fields.get(field).isEmpty()
                    ? Optional.of(Path.of(fields.get(field)))
                    : Optional.empty();
        }

        List<String> members() {
            return fields.size() > 3 ? List.of(fields.get(3).split(",", -1)) : List.of();
        }
    }
}
