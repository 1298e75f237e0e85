package io.meshhost.declaration;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the resources of one module are read with: the names that are replaced, where relative sources begin, and
 * the module's artifacts.
 *
 * @param names {@code version}, {@code slug}, {@code node} and {@code system}, with their values
 * @param base the directory of the declaration's file
 * @param artifacts of {@code build.artifacts}, by name
 */
record Scope(
        Faults faults,
        Nearest nearest,
        MachineFacts facts,
        Map<String, String> names,
        Path base,
        Map<String, Artifact> artifacts,
        Claims claims) {

    /**
     * An entry of {@code build.artifacts}.
     *
     * @param system the only one that it is for; empty: for all
     * @param published what the publisher added; empty where nothing yet
     */
    record Artifact(Optional<String> system, Optional<Resource.Bytes> published) {}

    static final List<String> REPLACED = List.of("version", "slug", "node", "system");

    /** Names to replace; those of a module that lacks one of its own are replaced by a word that fits anywhere. */
    static Map<String, String> names(MachineFacts facts, Optional<String> version, Optional<String> slug) {
        Map<String, String> names = new HashMap<>();
        names.put("version", version.orElse("0"));
        names.put("slug", slug.orElse("unnamed"));
        names.put("node", facts.node());
        names.put("system", facts.system());
        return Map.copyOf(names);
    }

    /** The text with its names replaced and a doubled dollar before a brace made one; empty where a name is not known. */
    Optional<String> replaced(Node.Scalar scalar) {
        String text = scalar.text();
        int at = text.indexOf("${");
        if (at < 0) {
            return Optional.of(text);
        }
        StringBuilder out = new StringBuilder(text.length());
        int done = 0;
        boolean known = true;
        for (; at >= 0; at = text.indexOf("${", done)) {
            if (at > done && text.charAt(at - 1) == '$') {
                out.append(text, done, at - 1).append("${");
                done = at + 2;
                continue;
            }
            int end = text.indexOf('}', at);
            String name = end < 0 ? text.substring(at + 2) : text.substring(at + 2, end);
            String value = end < 0 ? null : names.get(name);
            if (value == null) {
                unknown(scalar.place(), name, end < 0);
                known = false;
            } else {
                out.append(text, done, at).append(value);
            }
            done = end < 0 ? text.length() : end + 1;
        }
        out.append(text, done, text.length());
        return known ? Optional.of(out.toString()) : Optional.empty();
    }

    private void unknown(Place place, String name, boolean open) {
        if (open) {
            faults.add(place, "${ has no }; close it, or write $${ for the two characters themselves");
            return;
        }
        faults.add(
                place,
                "${" + name.substring(0, Math.min(40, name.length())).replaceAll("\\p{Cntrl}", "?")
                        + "} is not known; write "
                        + Words.or(REPLACED.stream()
                                .map(known -> "${" + known + "}")
                                .toList())
                        + ", or $${ for the characters themselves");
    }

    /** A field's text with its names replaced; empty where it is absent or a fault was said. */
    Optional<String> replaced(Fields fields, String name) {
        return fields.scalar(name).flatMap(this::replaced);
    }
}
