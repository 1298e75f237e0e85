package io.meshhost.converge;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Decides when a file that is being changed has come to rest: its signature was the same for the whole quiet time,
 * and then nobody had it open for writing. Pure but for what it is told; one thread.
 */
final class Settle {
    private final Duration quiet;
    private Optional<String> settled = Optional.empty();
    private Optional<String> seen = Optional.empty();
    private long seenAt;
    private boolean written;

    Settle(Duration quiet) {
        this.quiet = quiet;
    }

    /**
     * @param signature of the file as it is now; absence has one too
     * @param nanos monotonic
     * @param writers asked only once the signature has rested: whether somebody could still write
     * @return true when the file has just come to rest at something new
     */
    boolean step(String signature, long nanos, BooleanSupplier writers) {
        if (settled.filter(signature::equals).isPresent()) {
            seen = Optional.empty();
            written = false;
            return false;
        }
        if (seen.filter(signature::equals).isEmpty()) {
            seen = Optional.of(signature);
            seenAt = nanos;
            return false;
        }
        if (nanos - seenAt < quiet.toNanos()) {
            return false;
        }
        written = writers.getAsBoolean();
        if (written) {
            return false;
        }
        settled = seen;
        seen = Optional.empty();
        return true;
    }

    /** Whether something new is there that has not come to rest. */
    boolean moving() {
        return seen.isPresent();
    }

    /** Whether it would have come to rest if nobody had it open for writing. */
    boolean beingWritten() {
        return written;
    }

    Optional<String> settled() {
        return settled;
    }
}
