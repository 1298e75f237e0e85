package io.meshhost.declaration;

import io.meshhost.declaration.Shape.Rule;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Holds the fields of one object against each other. */
final class Rules {
    private Rules() {}

    static void hold(Rule rule, Node.Mapping mapping, Faults faults) {
        Map<String, Node.Entry> entries = mapping.entries();
        switch (rule) {
            case Rule.OneOf(List<List<String>> groups) -> oneOf(groups, mapping, faults);
            case Rule.NotBoth(String first, String second, String sentence) -> {
                Node.Entry one = entries.get(first);
                Node.Entry other = entries.get(second);
                if (one != null && other != null && meant(one) && meant(other)) {
                    faults.add(later(one, other).key(), sentence);
                }
            }
            case Rule.Needs(String field, String other) -> {
                Node.Entry entry = entries.get(field);
                if (entry != null && !entries.containsKey(other)) {
                    faults.add(entry.key(), field + " is given without " + other + "; add " + other);
                }
            }
        }
    }

    private static void oneOf(List<List<String>> groups, Node.Mapping mapping, Faults faults) {
        Map<String, Node.Entry> entries = mapping.entries();
        List<List<String>> given = groups.stream()
                .filter(group -> group.stream().anyMatch(entries::containsKey))
                .toList();
        if (given.isEmpty()) {
            List<String> choices =
                    groups.stream().map(group -> String.join(" with ", group)).toList();
            faults.add(mapping.place(), Words.or(choices) + " is missing; add one of them");
        } else if (given.size() > 1) {
            List<String> names = given.stream()
                    .map(group -> group.stream()
                            .filter(entries::containsKey)
                            .findFirst()
                            .orElseThrow())
                    .toList();
            Node.Entry last =
                    names.stream().map(entries::get).reduce(Rules::later).orElseThrow();
            faults.add(last.key(), String.join(" and ", names) + " exclude each other; keep one of them");
        } else {
            whole(given.getFirst(), entries, faults);
        }
    }

    private static void whole(List<String> group, Map<String, Node.Entry> entries, Faults faults) {
        for (String missing : group) {
            if (!entries.containsKey(missing)) {
                String there =
                        group.stream().filter(entries::containsKey).findFirst().orElseThrow();
                Node.@Nullable Entry entry = entries.get(there);
                if (entry != null) {
                    faults.add(entry.key(), there + " is given without " + missing + "; add " + missing);
                }
            }
        }
    }

    /** {@code run_once: false} is the same as no run_once. */
    private static boolean meant(Node.Entry entry) {
        return !(entry.value() instanceof Node.Scalar scalar
                && scalar.kind() == Node.Kind.FLAG
                && scalar.text().equals("false"));
    }

    private static Node.Entry later(Node.Entry one, Node.Entry other) {
        boolean after = other.key().line() > one.key().line()
                || (other.key().line() == one.key().line()
                        && other.key().column() > one.key().column());
        return after ? other : one;
    }
}
