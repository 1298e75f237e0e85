package io.meshhost.record;

import java.util.Optional;

/**
 * One row of the record: what the host keeps on this machine under one resource id.
 *
 * @param id full id, {@code slug/id}
 * @param type as in the declaration
 * @param target what it owns on the machine: the declared path, the unit, process or account name
 * @param want identity of what was declared, compared as a whole; empty while the first apply is not finished
 * @param signature what the kind saw after applying, compared as a whole; equal means that nobody
 *     touched it since and nothing needs a closer look; empty: look closely
 * @param before what was there before the host came, in the kind's own JSON; written and fsynced before
 *     the first change and never overwritten by a later apply
 * @param notes what undeclaring needs to know, in the kind's own JSON (parents made, entries unpacked)
 * @param position order of first applying; removal goes in reverse
 */
public record Applied(
        String id,
        String type,
        String target,
        Origin origin,
        State state,
        String want,
        String signature,
        String before,
        String notes,
        long position) {

    /** Whether the host knows what was there before; UNKNOWN rows are never restored or removed unasked. */
    public enum Origin {
        KNOWN,
        UNKNOWN
    }

    /** PENDING: a change was begun and is not known to be finished; the next apply finishes or undoes it. */
    public enum State {
        PENDING,
        APPLIED
    }

    /** The part of the id before the slash. */
    public String slug() {
        return id.substring(0, id.indexOf('/'));
    }

    public boolean pending() {
        return state == State.PENDING;
    }

    /** A row for a resource that the host has not touched yet. */
    public static Applied first(String id, String type, String target, String before) {
        return new Applied(id, type, target, Origin.KNOWN, State.PENDING, "", "", before, "{}", 0);
    }

    public Applied pendingAgain() {
        return new Applied(id, type, target, origin, State.PENDING, want, "", before, notes, position);
    }

    public Applied applied(String newWant, String newSignature, String newNotes) {
        return new Applied(id, type, target, origin, State.APPLIED, newWant, newSignature, before, newNotes, position);
    }

    public Applied withNotes(String newNotes) {
        return new Applied(id, type, target, origin, state, want, signature, before, newNotes, position);
    }

    /** The same thing on the machine under another id: a renamed resource inherits what was there before. */
    public Applied renamed(String newId) {
        return new Applied(newId, type, target, origin, state, want, signature, before, notes, position);
    }

    public Applied adopted() {
        return new Applied(id, type, target, Origin.UNKNOWN, state, want, signature, before, notes, position);
    }

    /** Convenience for maps that may lack an id. */
    public static Optional<Applied> of(
            java.util.@org.jspecify.annotations.Nullable Map<String, Applied> rows, String id) {
        return rows == null ? Optional.empty() : Optional.ofNullable(rows.get(id));
    }
}
