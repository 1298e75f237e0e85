package io.meshhost.apply;

import io.meshhost.machine.Files;
import io.meshhost.machine.Stat;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The way down to a path, as seen while inspecting: what must be made on it, and what forbids to go it.
 *
 * @param missing real directories that do not exist yet, outermost first
 * @param last the lowest thing on the way that exists, where it is not the path itself
 * @param refusal why nothing can be put at the path, as a clause; empty: nothing is known against it
 */
record Way(List<Path> missing, Optional<Path> last, Optional<String> refusal) {
    /** Of something that is as it should be: nobody asks for its way. */
    static Way untrodden() {
        return new Way(List.of(), Optional.empty(), Optional.empty());
    }

    /**
     * @param there what is at the path
     */
    static Way to(Path path, Optional<Stat> there, Files files) {
        if (there.isPresent()) {
            return new Way(List.of(), Optional.empty(), files.refusal(path));
        }
        List<Path> missing = files.missingParents(path);
        Path lowest = missing.isEmpty() ? path : missing.getFirst();
        return new Way(missing, Optional.ofNullable(lowest.getParent()), files.refusal(path));
    }

    /** Why the path cannot be reached once the plan so far is carried out: pure. */
    Optional<String> closed(Path path, Future future) {
        boolean opened = last.filter(future.free()::contains).isPresent();
        return opened || future.mends(path) ? Optional.empty() : refusal;
    }
}
