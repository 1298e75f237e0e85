package io.meshhost.launch;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Where the supervisor stands. Times are nanoseconds of the monotonic clock. */
sealed interface Life {
    /** The files are being asked which host to run. */
    record Deciding() implements Life {}

    /** {@code $LIBEXEC/rollback} runs. */
    record Restoring() implements Life {}

    /**
     * One start of a host.
     *
     * @param count failures in a row before it
     * @param attempted whether a rollback had been tried before it
     */
    record Start(Host host, String why, long at, int count, boolean attempted) {}

    /**
     * It runs, and has not completed a reconcile.
     *
     * @param sign its start, or its last sign of life
     * @param hangUp whether a HUP would be heard
     */
    record Starting(Start start, long sign, HangUp hangUp) implements Life {}

    /** A program that has not come so far as to listen for HUP is ended by it. */
    enum HangUp {
        /** It has given no sign of life yet. */
        DEAF,
        /** As {@link #DEAF}; it is told with its first sign. */
        OWED,
        HEARS
    }

    /**
     * @param since when it said so
     * @param sign its last sign of life; empty: an older host, which gives none
     */
    record Ready(Start start, long since, OptionalLong sign) implements Life {}

    /**
     * It was told to end.
     *
     * @param start empty: what ends is the rollback program
     * @param readySince empty: it never was
     * @param stopping whether the supervisor ends with it; else it hung, and is counted
     * @param limit when it is killed; empty: it was
     * @param passed the signals that it was sent
     */
    record Ending(
            Optional<Start> start, OptionalLong readySince, boolean stopping, OptionalLong limit, Set<Notice> passed)
            implements Life {}

    /** The back-off. */
    record Waiting(long until) implements Life {}

    /**
     * The supervisor ends with that status.
     *
     * @param halted why a person is needed; empty: it was told to end
     */
    record Over(int status, Optional<String> halted) implements Life {}
}
