package io.meshhost.apply;

import java.nio.file.Path;
import java.util.Collection;
import java.util.Set;

/**
 * What a plan knows of the tree once the steps before have been carried out, so that "is that directory
 * empty by then" is a pure question.
 *
 * @param going real paths that the plan has decided to remove so far
 * @param free real paths at which nothing stands any more by then, though it may have gone to another name
 * @param holding real directories that will hold something declared, or another module's
 * @param changing real directories that are declared and change
 * @param declared real directories that are declared themselves, or another module's, and stay also when empty
 */
public record Future(Set<Path> going, Set<Path> free, Set<Path> holding, Set<Path> changing, Set<Path> declared) {
    /** Nothing else is planned. */
    public static Future nothing() {
        return new Future(Set.of(), Set.of(), Set.of(), Set.of(), Set.of());
    }

    /** The same, and these are gone, too. */
    Future without(Set<Path> alsoGoing) {
        return new Future(alsoGoing, free, holding, changing, declared);
    }

    /** Whether a directory with these children now will have none. */
    public boolean empties(Path directory, Collection<Path> children) {
        return !holding.contains(directory) && going.containsAll(children);
    }

    /** Whether a directory above the path gets another mode or owner first, so that what was judged may not hold. */
    boolean mends(Path path) {
        for (Path above = path.getParent(); above != null && !changing.isEmpty(); above = above.getParent()) {
            if (changing.contains(above)) {
                return true;
            }
        }
        return false;
    }
}
