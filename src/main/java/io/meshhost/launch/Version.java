package io.meshhost.launch;

import java.util.Comparator;
import java.util.OptionalLong;

/**
 * A version that is delivered: a directory under {@code versions/} with an executable of the host's name in it.
 *
 * @param arrival its number in the order of arrival; empty when nobody recorded it
 * @param modifiedNanos the directory's st_mtim, nanoseconds since the epoch; counts only without an arrival
 * @param rejected its bytes are remembered as bad
 */
public record Version(String name, OptionalLong arrival, long modifiedNanos, boolean rejected) {
    /**
     * Newest first. Names are compared between equals only, and then as the seed's {@code ls -1t} does: the first of the
     * alphabet counts as the newest.
     */
    public static final Comparator<Version> NEWEST_FIRST = Comparator.comparingLong(
                    (Version version) -> version.arrival().orElse(Long.MIN_VALUE))
            .thenComparingLong(version -> version.arrival().isPresent() ? 0 : version.modifiedNanos())
            .reversed()
            .thenComparing(Version::name);

    /** Whether nothing but the name tells them apart. */
    boolean tiesWith(Version other) {
        return arrival.equals(other.arrival) && (arrival.isPresent() || modifiedNanos == other.modifiedNanos);
    }

    /** Whether a directory of this name can be a version at all: no dot in front, no slash, no control character. */
    public static boolean possible(String name) {
        return !name.isEmpty()
                && name.charAt(0) != '.'
                && name.indexOf('/') < 0
                // What UTF-8 cannot be read as.
                && name.indexOf('\uFFFD') < 0
                && name.chars().noneMatch(Character::isISOControl);
    }
}
