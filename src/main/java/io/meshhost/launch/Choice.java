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
     * @param instead of what had failed: the count in the files is that one's
     * @param notes what the operator should know: an ignored pin, a tie
     */
    record Run(
            Host host,
            String why,
            int count,
            boolean attempted,
            boolean pinEnded,
            Optional<Instead> instead,
            List<String> notes)
            implements Choice {}

    /**
     * Another host has failed before; it is not run again, and what is run begins with a fresh count.
     *
     * @param failed in words
     * @param rejects the version that has had all of its attempts
     */
    record Instead(String failed, int failures, Optional<String> rejects) {}

    /**
     * Too many failures: give that version up.
     *
     * @param to what runs next; with a pin when that is a version
     */
    record GoBack(Optional<String> rejects, Host to, int count) implements Choice {
        Optional<Pin> pin() {
            return to.version().map(name -> new Pin(name, false));
        }
    }

    /** Too many failures, and somebody has installed a program for that. */
    record Script(int count) implements Choice {}

    /** A person is needed; {@code known} when that stands in the file already. */
    record Halt(String reason, boolean known) implements Choice {}
}
