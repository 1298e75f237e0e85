package io.meshhost.machine;

import java.nio.file.Path;

/**
 * Told before each numbered operation of {@link Files}; a test throws from it to cut the power there.
 *
 * <p>What it throws is passed on as it is and nothing is cleaned up after it, as nothing would be
 * after a power cut.
 */
@FunctionalInterface
public interface Probe {
    /** Does nothing: the daily case. */
    Probe NONE = (number, operation, path) -> {};

    /**
     * @param number counts from 1 over the life of one {@link Files}
     */
    void before(long number, String operation, Path path);
}
