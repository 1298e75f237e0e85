package io.meshhost.apply;

import io.meshhost.machine.Files;
import io.meshhost.machine.Stat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Directories made on the way to something, and whether they can go with it. */
final class EmptyParents {
    private EmptyParents() {}

    /**
     * What each of them holds now, innermost first; those that are gone, or are no directories any more, left out.
     */
    static Map<Path, List<Path>> look(List<Path> parents, Files files) {
        Map<Path, List<Path>> holding = new LinkedHashMap<>();
        for (Path parent : parents.reversed()) {
            if (files.stat(parent).filter(Stat::isDirectory).isPresent()) {
                holding.put(parent, files.list(parent));
            }
        }
        return holding;
    }

    /** Those that will be empty once the path is gone, and that nobody declares: pure. */
    static Optional<Step> step(Map<Path, List<Path>> holding, Set<Path> alsoGone, Future future) {
        Set<Path> going = new HashSet<>(future.going());
        going.addAll(alsoGone);
        Future then = future.without(going);
        List<Path> empty = new ArrayList<>();
        holding.forEach((parent, children) -> {
            if (!going.contains(parent) && !then.declared().contains(parent) && then.empties(parent, children)) {
                going.add(parent);
                empty.add(parent);
            }
        });
        return empty.isEmpty() ? Optional.empty() : Optional.of(new FileSteps.DeleteParents(List.copyOf(empty)));
    }
}
