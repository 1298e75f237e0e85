package io.meshhost.apply;

import java.nio.file.Path;
import java.util.Collection;
import java.util.Set;

/**
 * What a plan knows of the tree once the steps before have been carried out, so that "is that directory
 * empty by then" is a pure question.
 *
 * @param going real paths that the plan has decided to remove so far
 * @param holding real directories that will hold something declared
 */
public record Future(Set<Path> going, Set<Path> holding) {
    /** Nothing else is planned. */
    public static Future nothing() {
        return new Future(Set.of(), Set.of());
    }

    /** Whether a directory with these children now will have none. */
    public boolean empties(Path directory, Collection<Path> children) {
        return !holding.contains(directory) && going.containsAll(children);
    }
}
