package io.meshhost.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meshhost.machine.Stat;
import java.util.Optional;

/**
 * What a row tells of a swap that may have been interrupted: which of two trees is the new one, and what in the other is
 * ours. The row's entries are those of the new tree then.
 *
 * @param tree inode of the top of the new tree. Its device is not kept: that number may be another one after a
 *     restart, and both trees are on the same, since the one was to take the place of the other
 * @param before what was unpacked in the tree that stood there before
 */
record ArchiveJournal(long tree, ArchiveEntries before) {
    private static final String KEY = "swap";

    static Optional<ArchiveJournal> read(String notes) {
        JsonNode node = Json.read(notes).path(KEY);
        return node.isObject()
                ? Optional.of(new ArchiveJournal(node.path("tree").asLong(), ArchiveEntries.read(node.path("before"))))
                : Optional.empty();
    }

    /** What of the host's is in the tree with this top. */
    static ArchiveEntries ours(String notes, Optional<Stat> top) {
        Optional<ArchiveJournal> swap = read(notes);
        boolean fresh = swap.isEmpty() || top.filter(swap.get()::isNew).isPresent();
        return fresh ? ArchiveEntries.read(notes) : swap.get().before();
    }

    boolean isNew(Stat top) {
        return top.isDirectory() && top.inode() == tree;
    }

    /** Added to the other notes of the row. */
    String into(String notes) {
        ObjectNode node = Json.object();
        Json.read(notes).properties().forEach(field -> node.set(field.getKey(), field.getValue()));
        before.into(node.putObject(KEY).put("tree", tree).putArray("before"));
        return node.toString();
    }
}
