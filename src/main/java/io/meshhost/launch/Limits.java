package io.meshhost.launch;

import java.time.Duration;

/**
 * How patient the supervisor is.
 *
 * @param starts failures in a row after which it goes back
 * @param backOff from a counted failure to the next start
 * @param start from a start, or its last sign of life, to {@code ready}
 * @param stop from TERM to KILL
 * @param once MESH_HOST_RUN_ONCE: end with the status of the first counted failure
 */
record Limits(int starts, Duration backOff, Duration start, Duration stop, boolean once) {
    /** A host that dies sooner after its first reconcile than this is counted as if it had not come up. */
    static final Duration YOUNG = Duration.ofSeconds(60);

    /** A host that was ready and is silent for longer than this hangs. */
    static final Duration SILENT = Duration.ofSeconds(60);

    /** A clean exit within this of the start is one that spins ... */
    static final Duration SPIN = Duration.ofSeconds(1);

    /** ... when there are more than so many of them in a row. */
    static final int SPINS = 5;
}
