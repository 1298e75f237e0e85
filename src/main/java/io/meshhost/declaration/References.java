package io.meshhost.declaration;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What follows what. Ids are gathered while resources are read, faulty ones too: a reference to a resource that has
 * a fault of its own is not a second fault.
 */
final class References {
    /** A full id as {@code after} or {@code restart_on} names it. */
    private record Reference(String to, Place place) {}

    private final Faults faults;
    private final Nearest nearest;
    private final Map<String, Place> ids = new LinkedHashMap<>();
    private final Map<String, List<Reference>> references = new HashMap<>();

    References(Faults faults, Nearest nearest) {
        this.faults = faults;
        this.nearest = nearest;
    }

    void resource(String id, Place place) {
        Place first = ids.putIfAbsent(id, place);
        if (first != null) {
            faults.add(
                    place, "the id " + id + " is taken by the resource at line " + first.line() + "; choose another");
        }
    }

    /** The full ids that a field names, in its order. */
    Set<String> full(String id, Fields fields, String field) {
        String slug = id.substring(0, id.indexOf('/') + 1);
        Set<String> full = new LinkedHashSet<>();
        for (Node.Scalar scalar : fields.scalars(field)) {
            String to = scalar.text().contains("/") ? scalar.text() : slug + scalar.text();
            full.add(to);
            references.computeIfAbsent(id, _ -> new ArrayList<>()).add(new Reference(to, scalar.place()));
        }
        return Collections.unmodifiableSet(full);
    }

    /** Asked once every resource is known. */
    void check() {
        for (String id : ids.keySet()) {
            for (Reference reference : references.getOrDefault(id, List.of())) {
                if (!ids.containsKey(reference.to())) {
                    unknown(reference);
                }
            }
        }
        cycles();
    }

    private void unknown(Reference reference) {
        String hint = nearest.to(reference.to(), ids.keySet())
                .map(meant -> "; did you mean " + meant + "?")
                .orElse("");
        faults.add(reference.place(), "no resource has the id " + reference.to() + hint);
    }

    /** Depth first without recursion: a chain of 10,000 resources is a fair declaration. */
    private void cycles() {
        Set<String> done = new HashSet<>();
        for (String start : ids.keySet()) {
            if (!done.contains(start)) {
                walk(start, done);
            }
        }
    }

    private void walk(String start, Set<String> done) {
        Deque<String> path = new ArrayDeque<>();
        Set<String> onPath = new HashSet<>();
        Deque<Iterator<Reference>> left = new ArrayDeque<>();
        path.addLast(start);
        onPath.add(start);
        left.addLast(references.getOrDefault(start, List.of()).iterator());
        while (!left.isEmpty()) {
            if (!left.getLast().hasNext()) {
                left.removeLast();
                String id = path.removeLast();
                onPath.remove(id);
                done.add(id);
                continue;
            }
            Reference next = left.getLast().next();
            if (onPath.contains(next.to())) {
                cycle(path, next);
            } else if (ids.containsKey(next.to()) && !done.contains(next.to())) {
                path.addLast(next.to());
                onPath.add(next.to());
                left.addLast(references.getOrDefault(next.to(), List.of()).iterator());
            }
        }
    }

    private void cycle(Deque<String> path, Reference closing) {
        List<String> round = new ArrayList<>();
        for (Iterator<String> back = path.descendingIterator(); back.hasNext(); ) {
            String id = back.next();
            round.addFirst(id);
            if (id.equals(closing.to())) {
                break;
            }
        }
        List<String> shown = round.size() > 12 ? new ArrayList<>(round.subList(0, 11)) : new ArrayList<>(round);
        if (round.size() > 12) {
            shown.add((round.size() - 11) + " more");
        }
        shown.add(closing.to());
        faults.add(
                closing.place(),
                "these resources wait for each other: " + String.join(" → ", shown) + "; remove one of the references");
    }
}
