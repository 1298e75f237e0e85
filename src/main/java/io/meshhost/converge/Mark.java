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
    /** Nobody waits, nothing is insisted on, and what changes is drift. */
    public static Mark look(String why) {
        return new Mark(why, false, Options.none(), Optional.empty());
    }

    /** As {@link #look}, where changes are no surprise. */
    public static Mark change(String why) {
        return new Mark(why, true, Options.none(), Optional.empty());
    }
}
