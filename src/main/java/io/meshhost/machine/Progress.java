package io.meshhost.machine;

/** Told of long work, so that a person at a terminal sees it move. Called often: implementations must be cheap. */
@FunctionalInterface
public interface Progress {
    Progress NONE = (what, done, total) -> {};

    /**
     * @param what short words, as "fetching web" or "unpacking /srv/app"
     * @param done bytes or entries so far
     * @param total the same unit, or -1 when unknown
     */
    void at(String what, long done, long total);
}
