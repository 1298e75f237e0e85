package io.meshhost.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * A new version that did not work, while the old one runs on. Each try interrupts the old one, so unasked it is
 * tried again ever more seldom: after 10 min, twice that each time, 6 h at most.
 *
 * @param want identity of what failed
 * @param next not before then
 */
record ProcessFailed(String want, int tries, Instant next) {
    private static final Duration FIRST = Duration.ofMinutes(10);
    private static final Duration LONGEST = Duration.ofHours(6);
    private static final int DOUBLINGS = 6;

    /** @param before what is remembered so far, of whatever version */
    static ProcessFailed again(Optional<ProcessFailed> before, String want, Instant now) {
        int tries = 1
                + before.filter(failed -> failed.want().equals(want))
                        .map(ProcessFailed::tries)
                        .orElse(0);
        Duration pause = FIRST.multipliedBy(1L << Math.min(tries - 1, DOUBLINGS));
        Instant next = now.plus(pause.compareTo(LONGEST) < 0 ? pause : LONGEST);
        return new ProcessFailed(want, tries, next.truncatedTo(ChronoUnit.SECONDS));
    }

    /** A clock that was set back must not put the next try off for longer than the longest pause. */
    boolean rests(Instant now) {
        return now.isBefore(next) && next.isBefore(now.plus(LONGEST).plusSeconds(1));
    }

    String sentence(String name) {
        return "cannot run the new version of " + name + ": it failed" + (tries == 1 ? "" : " " + tries + " times")
                + " and the old one runs on; it is tried again after " + next + ", or at once by apply";
    }

    void write(ObjectNode node) {
        node.putObject("failed").put("want", want).put("tries", tries).put("next", next.toString());
    }

    static Optional<ProcessFailed> read(JsonNode node) {
        try {
            return node.path("want").isTextual()
                    ? Optional.of(new ProcessFailed(
                            node.path("want").asText(),
                            node.path("tries").asInt(),
                            Instant.parse(node.path("next").asText())))
                    : Optional.empty();
        } catch (DateTimeException unreadable) {
            return Optional.empty();
        }
    }
}
