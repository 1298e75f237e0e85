package io.meshhost.apply;

import java.util.Locale;

/** What became, or would become, of a resource (SPEC 2, the engine). */
public enum Action {
    CREATED,
    UPDATED,
    UNCHANGED,
    RESTORED,
    REMOVED,
    FORGOTTEN,
    SKIPPED,
    FAILED;

    private final String word;

    Action() {
        this.word = name().toLowerCase(Locale.ROOT);
    }

    /** The word in reports, in lower case. */
    public String word() {
        return word;
    }

    /** Whether it changes, or changed, the machine or the record. */
    public boolean changes() {
        return this != UNCHANGED && this != SKIPPED && this != FAILED;
    }
}
