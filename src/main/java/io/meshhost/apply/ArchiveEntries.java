package io.meshhost.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meshhost.bundle.Entry;
import io.meshhost.machine.Files;
import io.meshhost.machine.Stat;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What was unpacked under a path, with what betrays that somebody touched it; kept in the row's notes.
 *
 * @param of by relative path, in the archive's order: a directory before what is in it
 */
record ArchiveEntries(Map<Path, Unpacked> of) {
    /**
     * @param signature of a file, the mode of a directory, where a link points
     */
    record Unpacked(Entry.Type type, String signature) {}

    static ArchiveEntries none() {
        return new ArchiveEntries(Map.of());
    }

    /** As they stand now, right after unpacking. */
    static ArchiveEntries taken(Path root, List<Entry> entries, Files files, InstantSource clock) {
        Map<Path, Unpacked> taken = new LinkedHashMap<>();
        for (Entry entry : entries) {
            Path path = root.resolve(entry.path());
            files.stat(path)
                    .ifPresent(stat -> taken.put(
                            entry.path(),
                            new Unpacked(entry.type(), signature(entry.type(), path, stat, files, clock))));
        }
        return new ArchiveEntries(taken);
    }

    private static String signature(Entry.Type type, Path path, Stat stat, Files files, InstantSource clock) {
        return switch (type) {
            case FILE -> Signature.of(stat, clock);
            case DIRECTORY -> Ownership.octal(stat.mode());
            case LINK -> files.readLink(path).orElse("");
        };
    }

    /** Relative paths that are not as they were unpacked, in the archive's order. */
    List<Path> touched(Path root, Files files) {
        List<Path> touched = new ArrayList<>();
        of.forEach((relative, unpacked) -> {
            if (!untouched(root.resolve(relative), unpacked, files)) {
                touched.add(relative);
            }
        });
        return touched;
    }

    private static boolean untouched(Path path, Unpacked unpacked, Files files) {
        Optional<Stat> stat = files.stat(path);
        return switch (unpacked.type()) {
            case FILE ->
                stat.filter(there -> there.isFile() && Signature.same(unpacked.signature(), there))
                        .isPresent();
            case DIRECTORY ->
                stat.filter(there -> there.isDirectory()
                                && Ownership.octal(there.mode()).equals(unpacked.signature()))
                        .isPresent();
            case LINK ->
                stat.filter(Stat::isLink).isPresent() && files.readLink(path).equals(Optional.of(unpacked.signature()));
        };
    }

    static ArchiveEntries read(String notes) {
        return read(Json.read(notes).path("entries"));
    }

    static ArchiveEntries read(JsonNode all) {
        Map<Path, Unpacked> entries = new LinkedHashMap<>();
        for (JsonNode entry : all) {
            entries.put(
                    Path.of(entry.path(0).asText()),
                    new Unpacked(
                            Entry.Type.valueOf(entry.path(1).asText()),
                            entry.path(2).asText()));
        }
        return new ArchiveEntries(entries);
    }

    /** Added to the other notes of the row. */
    String into(String notes) {
        ObjectNode node = Json.object();
        Json.read(notes).properties().forEach(field -> node.set(field.getKey(), field.getValue()));
        into(node.putArray("entries"));
        return node.toString();
    }

    void into(ArrayNode all) {
        of.forEach((path, unpacked) ->
                all.addArray().add(path.toString()).add(unpacked.type().name()).add(unpacked.signature()));
    }
}
