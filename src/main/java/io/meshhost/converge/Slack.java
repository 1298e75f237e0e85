package io.meshhost.converge;

import java.util.function.LongSupplier;

/**
 * Gives back what a reconcile took: a collector that is not asked keeps every page that reading a declaration once
 * needed, for as long as the host runs. Asked only when the heap has grown by much, and when nobody waits.
 */
final class Slack {
    /** Worth a collection of some 50 ms; a few hundred resources hardly ever take so much. */
    static final long MUCH = 16L << 20;

    private final LongSupplier heap;
    private final Runnable collect;
    private long least;

    /**
     * @param heap bytes that the process holds for its heap
     * @param collect makes that as little as it can be
     */
    Slack(LongSupplier heap, Runnable collect) {
        this.heap = heap;
        this.collect = collect;
        this.least = heap.getAsLong();
    }

    static Slack ofThisProcess() {
        return new Slack(Runtime.getRuntime()::totalMemory, System::gc);
    }

    /** Between reconciles. */
    synchronized void giveBack() {
        if (heap.getAsLong() - least >= MUCH) {
            collect.run();
            least = heap.getAsLong();
        }
    }
}
