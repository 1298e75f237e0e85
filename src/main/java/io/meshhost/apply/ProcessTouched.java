package io.meshhost.apply;

import java.util.List;

/** What a change has done to the machine so far, and so what undoing it has to undo. Confined to one thread. */
final class ProcessTouched {
    private boolean unpacked;
    private boolean swapped;
    private boolean keptAside;
    private boolean disturbed;
    private boolean dirty;
    private boolean cutShort;
    private List<String> lastLines = List.of();

    void unpacked() {
        unpacked = true;
    }

    /** @param aside whether the old tree now stands aside */
    void swapped(boolean aside) {
        swapped = true;
        keptAside = aside;
    }

    /** Something was started, stopped or run. */
    void disturbed() {
        disturbed = true;
    }

    /** Unit files changed since the supervisor last read them. */
    void dirty() {
        dirty = true;
    }

    boolean takeDirty() {
        boolean was = dirty;
        dirty = false;
        return was;
    }

    /** The wait for health was ended by the host's own end. */
    void cut() {
        cutShort = true;
    }

    /** What a step that failed printed at last. */
    void said(List<String> lines) {
        lastLines = lines;
    }

    List<String> lastLines() {
        return lastLines;
    }

    boolean hasUnpacked() {
        return unpacked;
    }

    boolean hasSwapped() {
        return swapped;
    }

    boolean keptAside() {
        return keptAside;
    }

    boolean hasDisturbed() {
        return disturbed;
    }

    boolean cutShort() {
        return cutShort;
    }
}
