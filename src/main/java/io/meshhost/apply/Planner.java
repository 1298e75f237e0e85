package io.meshhost.apply;

import io.meshhost.declaration.Declaration;
import io.meshhost.declaration.Resource;
import io.meshhost.record.Applied;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** From what was seen to what is to be done: pure, and the only place that decides it. */
final class Planner {
    private static final String UNKNOWN = "its origin is unknown since the record was rebuilt";

    private final Inspection.Seen seen;
    private final Map<String, Set<String>> owed;
    private final Facts facts;
    private final Options options;

    private final List<Item> items = new ArrayList<>();
    private final Standing standing = new Standing();
    private final Set<String> changing = new HashSet<>();
    private final Set<Path> going = new HashSet<>();
    private final Set<Path> free = new HashSet<>();
    private final Set<Path> mended = new HashSet<>();
    private Facts later;

    Planner(Inspection.Seen seen, Map<String, Set<String>> owed, Facts facts, Options options) {
        this.seen = seen;
        this.owed = owed;
        this.facts = facts;
        this.options = options;
        this.later = facts;
    }

    List<Item> plan(Declaration declaration) {
        List<Resource> declared = declaration.resources().toList();
        later = facts.with(future(declared, seen.claims().staying()));
        for (Resource resource : Order.of(declared)) {
            List<Applied> displaced = seen.claims().displaced().getOrDefault(resource.id(), List.of());
            boolean foreign = seen.claims().foreign().containsKey(resource.id());
            boolean cleared = !displaced.isEmpty();
            boolean returning = false;
            for (Applied row : foreign ? List.<Applied>of() : displaced) {
                Change change = leave(row, true);
                cleared &= clears(change, row);
                returning |= change.action() == Action.RESTORED && row.type().equals("file");
            }
            if (returning) {
                inTheWay(resource);
            } else {
                declare(resource, !displaced.isEmpty() && !foreign, cleared);
            }
        }
        List<Applied> leaving = seen.claims().leaving();
        Set<String> kept = leaving.isEmpty() ? Set.of() : seen.claims().kept();
        for (Applied row : leaving) {
            if (kept.contains(Claims.key(row))) {
                Leaving<?, ?> leaver = leaver(row);
                items.add(new Item.Leaves(
                        leaver, leaver.left(Action.FORGOTTEN, row.target() + " is kept under another id"), false));
            } else {
                leave(row, false);
            }
        }
        return items;
    }

    private void declare(Resource resource, boolean displacing, boolean cleared) {
        String id = resource.id();
        Set<String> causes = new HashSet<>(resource.head().restartOn());
        causes.retainAll(changing);
        causes.addAll(owed.getOrDefault(id, Set.of()));
        Subject<?, ?> subject = of(seen.subjects(), id);
        Change change = change(resource, cleared, causes);
        Optional<String> heirOf = Optional.ofNullable(seen.claims().heirs().get(id));
        Item.Declared item = new Item.Declared(subject, change, Set.copyOf(causes), heirOf, displacing, false);
        Optional<String> blocked = item.work() ? standing.blocks(resource) : Optional.empty();
        if (blocked.isPresent()) {
            standing.blocked(resource);
            item = item.blocked(blocked.get());
        } else if (change.action() == Action.FAILED) {
            standing.failed(resource);
        } else if (change.action().changes()) {
            changing.add(id);
            if (resource instanceof Resource.DirectoryResource directory) {
                mended.add(facts.places().real(directory.path()));
            }
        }
        items.add(item);
    }

    /** What stood there before the host came is a file or a link, and anything but a file has no room beside it. */
    private void inTheWay(Resource resource) {
        standing.failed(resource);
        Change failed = Change.failed(
                resource.id(),
                resource.type(),
                "cannot make " + resource.target() + ": what was there before the host came is back and in the way;"
                        + " move it away, or declare another path",
                Optional.empty());
        items.add(new Item.Declared(
                of(seen.subjects(), resource.id()), failed, Set.of(), Optional.empty(), false, false));
    }

    private Change change(Resource resource, boolean cleared, Set<String> causes) {
        String owner = seen.claims().foreign().get(resource.id());
        if (owner != null) {
            return Change.failed(
                    resource.id(),
                    resource.type(),
                    "cannot keep " + resource.target() + ": it belongs to " + owner + "; undeclare that first",
                    Optional.empty());
        }
        Map<String, Subject.Seen> which = cleared ? seen.cleared() : seen.seen();
        return of(which, resource.id()).plan(causes, later);
    }

    private Change leave(Applied row, boolean displaced) {
        Leaving<?, ?> leaver = leaver(row);
        Change change = of(seen.leaving(), row.id()).plan(later);
        if (!displaced && standing.troubled(row.slug()) && !leaver.unknown()) {
            change = leaver.left(Action.SKIPPED, waits(row.slug()));
        } else if (row.origin() == Applied.Origin.UNKNOWN && !options.force() && !leaver.unknown()) {
            change = change.action() == Action.FORGOTTEN
                    ? leaver.left(Action.FORGOTTEN, "left as it is: " + UNKNOWN)
                    : leaver.left(Action.SKIPPED, "left: " + UNKNOWN + "; apply --force takes it away");
        }
        change.steps().forEach(step -> going.addAll(step.removes()));
        if (row.target().startsWith("/") && clears(change, row)) {
            free.add(facts.places().real(Path.of(row.target())));
        }
        items.add(new Item.Leaves(leaver, change, displaced));
        return change;
    }

    /** Whether nothing stands at the row's target afterwards: neither what was there before, nor what others added. */
    private boolean clears(Change change, Applied row) {
        boolean path = row.target().startsWith("/");
        Path target = path
                ? facts.places().real(Path.of(row.target()))
                : facts.places().root();
        return change.action() == Action.REMOVED
                && (!path || change.steps().stream().anyMatch(step -> step.clears(target)));
    }

    /** Why something undeclared stays for now. */
    static String waits(String slug) {
        return "left until everything declared in " + slug + " is in place";
    }

    private Leaving<?, ?> leaver(Applied row) {
        return of(seen.leavers(), row.id());
    }

    /** What another module keeps is as good as declared, though this manifest says nothing of it. */
    private Future future(List<Resource> declared, List<Applied> staying) {
        Set<Path> directories = new HashSet<>();
        declared.stream()
                .filter(resource -> directory(resource.type()))
                .forEach(resource -> directories.add(facts.places().real(Path.of(resource.target()))));
        staying.stream()
                .filter(row -> directory(row.type()))
                .forEach(row -> directories.add(facts.places().real(Path.of(row.target()))));
        Stream<String> targets = Stream.concat(
                declared.stream().map(Resource::target), staying.stream().map(Applied::target));
        return new Future(going, free, holding(targets), mended, directories);
    }

    /** Directories that are declared, or that a declared archive is unpacked to. */
    private static boolean directory(String type) {
        return type.equals("directory") || type.equals("archive");
    }

    /** All directories above the targets that are paths. */
    private Set<Path> holding(Stream<String> targets) {
        // Thousands of files share a few directories; only those are made paths of.
        Set<String> directories = targets.filter(target -> target.startsWith("/") && target.length() > 1)
                .map(target -> target.substring(0, Math.max(1, target.lastIndexOf('/'))))
                .collect(Collectors.toSet());
        Set<Path> holding = new HashSet<>();
        for (String directory : directories) {
            Path above = facts.places().real(Path.of(directory));
            while (above != null && holding.add(above)) {
                above = above.getParent();
            }
        }
        return holding;
    }

    private static <T> T of(Map<String, T> map, String id) {
        T found = map.get(id);
        if (found == null) {
            throw new IllegalStateException("nothing was seen of " + id);
        }
        return found;
    }
}
