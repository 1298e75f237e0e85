package io.meshhost.apply;

/**
 * What an operator may insist on.
 *
 * @param force go back to a lower serial; take away what has an unknown origin
 * @param rebuildRecord go on although the record was lost, and adopt what matches the declaration
 * @param unasked the host looks by itself, nobody asked for it: what failed not long ago, and would interrupt what works, may wait
 */
public record Options(boolean force, boolean rebuildRecord, boolean unasked) {
    public Options(boolean force, boolean rebuildRecord) {
        this(force, rebuildRecord, false);
    }

    /** The daily case: nothing is insisted on. */
    public static Options none() {
        return new Options(false, false);
    }
}
