package io.meshhost.launch;

import java.util.List;
import java.util.Optional;

/** What to do at a turn of the loop, and why. */
sealed interface Choice {
    /**
     * Run it.
     *
     * @param count failures in a row so far
     * @param attempted whether a rollback was tried since a host was last well
     * @param pinEnded the pin that stands there was a rollback's, and other bytes than the rejected have arrived
     * @param notes what the operator should know: an ignored pin, a tie
     */
    record Run(Host host, String why, int count, boolean attempted, boolean pinEnded, List<String> notes)
            implements Choice {}

    /**
     * Too many failures: give that version up.
     *
     * @param to what runs next; with a pin when that is a version
     * @param byOperator whether an operator had pinned it already
     */
    record GoBack(Optional<String> rejects, Host to, boolean byOperator, int count) implements Choice {
        GoBack(Optional<String> rejects, Host to, int count) {
            this(rejects, to, false, count);
        }

        Optional<Pin> pin() {
            return to instanceof Host.Delivered delivered
                    ? Optional.of(new Pin(delivered.name(), byOperator))
                    : Optional.empty();
        }
    }

    /** Too many failures, and somebody has installed a program for that. */
    record Script(int count) implements Choice {}

    /** A person is needed; {@code known} when that stands in the file already. */
    record Halt(String reason, boolean known) implements Choice {}
}
