package io.meshhost.launch;

import java.nio.file.Path;
import java.util.Optional;

/** A host that could be run. */
public sealed interface Host {
    /** The program; it is started as {@code PROGRAM run}. */
    Path program();

    /** Its name under {@code versions/}; empty: it was placed by hand. */
    default Optional<String> version() {
        return this instanceof Delivered(String name, Path _) ? Optional.of(name) : Optional.empty();
    }

    /** For sentences: the version's name, or "the host placed by hand". */
    String words();

    /** One that arrived under {@code versions/}. */
    record Delivered(String name, Path program) implements Host {
        @Override
        public String words() {
            return "version " + name;
        }
    }

    /** The one that a person or a package put in place; the first host of every machine. */
    record Placed(Path program) implements Host {
        @Override
        public String words() {
            return "the host placed by hand";
        }
    }
}
