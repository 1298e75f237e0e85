package io.meshhost.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meshhost.machine.Places;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What a row of a path keeps for being taken away.
 *
 * @param parents real directories made for it, outermost first
 * @param intent what a change that may have been interrupted was about to put there; empty: none
 */
record PathNotes(List<Path> parents, String intent) {

    static PathNotes read(String json, Places places) {
        JsonNode node = Json.read(json);
        List<Path> parents = new ArrayList<>();
        node.path("parents").forEach(parent -> parents.add(places.real(Path.of(parent.asText()))));
        return new PathNotes(parents, node.path("intent").asText(""));
    }

    /** Parents are kept as the declaration calls them: a scratch root may be moved. */
    String json(Places places) {
        ObjectNode node = Json.object();
        if (!parents.isEmpty()) {
            ArrayNode array = node.putArray("parents");
            parents.forEach(parent -> array.add(places.declared(parent).toString()));
        }
        if (!intent.isEmpty()) {
            node.put("intent", intent);
        }
        return node.toString();
    }

    /** Those made by earlier applies stay noted: they are ours until they are removed. */
    PathNotes with(List<Path> made, String next) {
        Set<Path> all = new LinkedHashSet<>(parents);
        all.addAll(made);
        return new PathNotes(
                all.stream().sorted(Comparator.comparingInt(Path::getNameCount)).toList(), next);
    }

    PathNotes settled() {
        return new PathNotes(parents, "");
    }
}
