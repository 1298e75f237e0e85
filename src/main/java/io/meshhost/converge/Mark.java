package io.meshhost.converge;

import io.meshhost.apply.Options;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Why a reconcile is wanted, and who waits for its end.
 *
 * @param why "start", "every 10m", "declaration changed", "HUP", "apply"
 * @param expected whether changes are what the mark is for; else whatever changes is drift
 */
public record Mark(String why, boolean expected, Options options, Optional<CompletableFuture<Ended>> waiter) {
    private static final Options UNASKED = new Options(false, false, true);

    /** The host's own: nobody asked for it, nothing is insisted on, and what changes is drift. */
    public static Mark look(String why) {
        return new Mark(why, false, UNASKED, Optional.empty());
    }

    /** As {@link #look}, where changes are no surprise. */
    public static Mark change(String why) {
        return new Mark(why, true, UNASKED, Optional.empty());
    }

    /** The same by somebody's wish, who would have tried now what failed not long ago. */
    public Mark asked() {
        return new Mark(why, expected, new Options(options.force(), options.rebuildRecord()), waiter);
    }
}
