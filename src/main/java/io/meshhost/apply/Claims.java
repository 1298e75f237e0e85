package io.meshhost.apply;

import io.meshhost.declaration.Declaration;
import io.meshhost.declaration.Resource;
import io.meshhost.record.Applied;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Who owns what is in the record: the pure answer to "is this row still declared, under which id, and what
 * of it must go".
 *
 * @param recorded by declared id; a row inherited from a renamed resource bears the new id already
 * @param heirs declared id to the id whose row it inherits
 * @param relabelled rows that must first give up their id, by that id: the same id now means another target
 * @param leaving no longer declared, the last applied first
 * @param displaced declared id to the rows of another type that own its target and go before it
 * @param foreign declared id to the id of another module that owns its target (one manifest cannot take it)
 * @param staying rows of other modules, of which one manifest says nothing
 */
record Claims(
        Map<String, Applied> recorded,
        Map<String, String> heirs,
        Map<String, Applied> relabelled,
        List<Applied> leaving,
        Map<String, List<Applied>> displaced,
        Map<String, String> foreign,
        List<Applied> staying) {

    static Claims of(Declaration declaration, Map<String, Applied> rows) {
        Claims claims = new Claims(
                new HashMap<>(),
                new HashMap<>(),
                new LinkedHashMap<>(),
                new ArrayList<>(),
                new HashMap<>(),
                new HashMap<>(),
                new ArrayList<>());
        List<Resource> declared = declaration.resources().toList();
        List<Applied> others = claims.ownRows(declared, rows);
        claims.share(declaration, declared, others);
        claims.leaving.sort(Comparator.comparingLong(Applied::position)
                .thenComparing(Applied::id)
                .reversed());
        return claims;
    }

    Optional<Applied> row(Resource resource) {
        return Optional.ofNullable(recorded.get(resource.id()));
    }

    /** Rows that keep their id, target and type stay with it; gives all others, relabelled where the id is taken. */
    private List<Applied> ownRows(List<Resource> declared, Map<String, Applied> rows) {
        Map<String, Resource> byId =
                declared.stream().collect(Collectors.toMap(Resource::id, resource -> resource, (a, b) -> a));
        Map<String, Applied> others = new LinkedHashMap<>();
        for (Applied row : rows.values()) {
            Resource resource = byId.get(row.id());
            if (resource == null) {
                others.putIfAbsent(row.id(), row);
            } else if (same(resource, row)) {
                recorded.put(row.id(), row);
            } else {
                Applied old = row.renamed(freeId(row, rows));
                relabelled.put(row.id(), old);
                others.put(old.id(), old);
            }
        }
        return List.copyOf(others.values());
    }

    /** A tilde is in no declared id. A row relabelled by an apply that was cut short is found again, not doubled. */
    private static String freeId(Applied row, Map<String, Applied> rows) {
        for (int n = 1; ; n++) {
            String id = row.id() + "~" + n;
            Applied taken = rows.get(id);
            if (taken == null
                    || (taken.target().equals(row.target()) && taken.type().equals(row.type()))) {
                return id;
            }
        }
    }

    private void share(Declaration declaration, List<Resource> declared, List<Applied> others) {
        if (others.isEmpty()) {
            return;
        }
        Map<String, Resource> byTarget = declared.stream()
                .collect(Collectors.toMap(r -> family(r.type(), r.target()), resource -> resource, (a, b) -> a));
        Set<String> slugs =
                declaration.modules().stream().map(Declaration.Module::slug).collect(Collectors.toSet());
        for (Applied row : others) {
            Resource claimant = byTarget.get(family(row.type(), row.target()));
            boolean ours = declaration.whole() || slugs.contains(row.slug());
            if (!ours) {
                staying.add(row);
            }
            if (claimant != null && !ours) {
                foreign.put(claimant.id(), row.id());
            } else if (claimant != null && same(claimant, row) && !recorded.containsKey(claimant.id())) {
                recorded.put(claimant.id(), row.renamed(claimant.id()));
                heirs.put(claimant.id(), row.id());
            } else if (claimant != null && !same(claimant, row)) {
                displaced
                        .computeIfAbsent(claimant.id(), key -> new ArrayList<>())
                        .add(row);
            } else if (ours) {
                leaving.add(row);
            }
        }
    }

    private static boolean same(Resource resource, Applied row) {
        return resource.type().equals(row.type()) && resource.target().equals(row.target());
    }

    /** What can be owned only once, whatever the type: a path, a unit, an account. */
    private static String family(String type, String target) {
        return switch (type) {
            case "file", "directory", "archive" -> "path " + target;
            case "process" -> "unit " + target + ".service";
            case "service" -> "unit " + target;
            default -> type + " " + target;
        };
    }

    /** Targets of recorded rows, by type: a leaving row with one of these is declared again, under another id. */
    Set<String> kept() {
        return recorded.values().stream().map(Claims::key).collect(Collectors.toSet());
    }

    static String key(Applied row) {
        return row.type() + " " + row.target();
    }
}
