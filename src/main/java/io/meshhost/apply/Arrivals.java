package io.meshhost.apply;

import java.nio.file.Path;

/** Hears of versions of the host itself: archives right under {@code versions/}, of which its supervisor chooses one (SPEC 1). */
@FunctionalInterface
public interface Arrivals {
    /**
     * One is about to appear under its name: noted before that, or a power cut between the two would leave a version of
     * which nobody knows when it came.
     *
     * @param tree where it stands, whole
     * @param sha256 of its archive, 64 hex digits
     */
    void arriving(String name, Path tree, String sha256);
}
