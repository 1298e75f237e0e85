package io.meshhost.apply;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meshhost.bundle.Entry;
import io.meshhost.machine.services.Services.UnitFile;
import io.meshhost.record.Applied;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a row remembers of a process: the last version that was known to work, enough of it to put it back.
 *
 * <p>While the row is pending, these notes say which version {@link ProcessHome#aside} holds. They change to the
 * new version in one transaction, after it was proven and before the old tree is deleted: that transaction is
 * the point of no return.
 *
 * @param entries as unpacked; what is missing of them later is drift
 * @param units texts of the unit files by path; secrets are not among them
 * @param how {@link ProcessWanted#how} of that version
 * @param dropAside true between the point of no return and the end: what stands aside is rubbish
 * @param failed the version that was tried since and did not work
 */
record ProcessNotes(
        String sha256,
        long size,
        ProcessForm form,
        String how,
        List<Entry> entries,
        List<Unit> units,
        boolean dropAside,
        Optional<ProcessFailed> failed) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** A unit file that was written. */
    record Unit(Path path, String content) {}

    static ProcessNotes of(ProcessWanted wanted, List<Entry> entries, long size, boolean dropAside) {
        List<Unit> units = wanted.files().stream()
                .filter(file -> !file.sensitive())
                .map(file -> new Unit(file.path(), file.content()))
                .toList();
        return new ProcessNotes(
                wanted.sha256(), size, wanted.form(), wanted.how(), entries, units, dropAside, Optional.empty());
    }

    /** Empty where the row was never finished once, or is of another making (adopted). */
    static Optional<ProcessNotes> read(Applied row) {
        try {
            JsonNode node = JSON.readTree(row.notes());
            if (node == null || !node.hasNonNull("sha256")) {
                return Optional.empty();
            }
            return Optional.of(new ProcessNotes(
                    node.path("sha256").asText(),
                    node.path("size").asLong(),
                    form(node.path("form").asText()),
                    node.path("how").asText(),
                    entries(node.path("entries")),
                    units(node.path("units")),
                    node.path("dropAside").asBoolean(),
                    ProcessFailed.read(node.path("failed"))));
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    private static ProcessForm form(String word) {
        for (ProcessForm form : ProcessForm.values()) {
            if (form.word().equals(word)) {
                return form;
            }
        }
        return ProcessForm.DAEMON;
    }

    private static List<Unit> units(JsonNode array) {
        List<Unit> units = new ArrayList<>();
        array.forEach(unit -> units.add(new Unit(
                Path.of(unit.path("path").asText()), unit.path("content").asText())));
        return List.copyOf(units);
    }

    private static List<Entry> entries(JsonNode array) {
        List<Entry> entries = new ArrayList<>();
        array.forEach(entry -> entries.add(entry(entry)));
        return List.copyOf(entries);
    }

    private static Entry entry(JsonNode node) {
        Entry.Type type = switch (node.path(0).asText()) {
            case "d" -> Entry.Type.DIRECTORY;
            case "l" -> Entry.Type.LINK;
            default -> Entry.Type.FILE;
        };
        Optional<String> link =
                type == Entry.Type.LINK ? Optional.of(node.path(4).asText()) : Optional.empty();
        return new Entry(
                Path.of(node.path(1).asText()),
                type,
                node.path(2).asInt(),
                node.path(3).asLong(),
                link);
    }

    ProcessNotes withDropAside(boolean drop) {
        return new ProcessNotes(sha256, size, form, how, entries, units, drop, failed);
    }

    ProcessNotes withFailed(ProcessFailed now) {
        return new ProcessNotes(sha256, size, form, how, entries, units, dropAside, Optional.of(now));
    }

    /** The row's notes. */
    String json() {
        ObjectNode node = JSON.createObjectNode();
        node.put("sha256", sha256).put("size", size).put("form", form.word()).put("how", how);
        node.put("dropAside", dropAside);
        failed.ifPresent(version -> version.write(node));
        var list = node.putArray("entries");
        for (Entry entry : entries) {
            var item = list.addArray();
            item.add(letter(entry.type())).add(entry.path().toString());
            item.add(entry.mode()).add(entry.size());
            entry.link().ifPresent(item::add);
        }
        var texts = node.putArray("units");
        units.forEach(
                unit -> texts.addObject().put("path", unit.path().toString()).put("content", unit.content()));
        return node.toString();
    }

    private static String letter(Entry.Type type) {
        return switch (type) {
            case FILE -> "f";
            case DIRECTORY -> "d";
            case LINK -> "l";
        };
    }

    /** Whether that version had secrets. */
    boolean secrets() {
        return how.lines().anyMatch(line -> line.startsWith("secret "));
    }

    /** The files to put back, as the supervisor gave them then. */
    List<UnitFile> files() {
        return units.stream()
                .map(unit -> new UnitFile(unit.path(), unit.content(), false))
                .toList();
    }
}
