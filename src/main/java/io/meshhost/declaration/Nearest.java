package io.meshhost.declaration;

import java.util.Collection;
import java.util.Optional;

/** Finds what somebody meant by a name that is not known. */
final class Nearest {
    /** A document full of unknown names must not cost their number times that of all known ones. */
    private long lettersLeft = 20_000_000;

    /** The known name with the fewest letters to change; empty where none is known, or too much was asked already. */
    Optional<String> to(String name, Collection<String> known) {
        String meant = name.length() > 80 ? name.substring(0, 80) : name;
        String best = null;
        int bestDistance = Integer.MAX_VALUE;
        for (String candidate : known) {
            if (Math.abs(candidate.length() - meant.length()) >= bestDistance) {
                continue;
            }
            lettersLeft -= (long) candidate.length() * meant.length() + 1;
            if (lettersLeft < 0) {
                return Optional.empty();
            }
            int distance = distance(meant, candidate);
            if (distance < bestDistance) {
                best = candidate;
                bestDistance = distance;
            }
        }
        return Optional.ofNullable(best);
    }

    /** Levenshtein's distance, two rows. */
    private static int distance(String from, String to) {
        int[] previous = new int[to.length() + 1];
        for (int j = 0; j < previous.length; j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int[] row = new int[to.length() + 1];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int change = from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
                row[j] = Math.min(Math.min(row[j - 1], previous[j]) + 1, previous[j - 1] + change);
            }
            previous = row;
        }
        return previous[to.length()];
    }
}
