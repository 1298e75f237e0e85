package io.meshhost.cli;

import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * What the daemon does when it is told something by signal(7).
 *
 * <p>The JDK ends with 143 on TERM and dies of HUP; the host ends with 0 and reconciles. There is no other way to
 * hear a signal in Java than this class of jdk.unsupported, which native executables know too.
 */
final class Signals {
    private Signals() {}

    /**
     * Takes over TERM, INT and HUP for the life of the process.
     *
     * @param stop called on every TERM and INT; a second call must change nothing
     * @param reconcile called on every HUP
     */
    static void take(Runnable stop, Runnable reconcile) {
        take(stop, stop, reconcile);
    }

    /** Of one that was started with CHLD ignored the kernel takes the children's statuses away: a clean end looks like none. */
    static void keepChildren() {
        Signal.handle(new Signal("CHLD"), SignalHandler.SIG_DFL);
    }

    /** HUP asks a host to reconcile, and one that is only starting does that anyway: it must not die of it. */
    static void outliveHangUp() {
        Signal.handle(new Signal("HUP"), signal -> {});
    }

    /** As {@link #take}, for one who tells TERM and INT apart. */
    static void take(Runnable term, Runnable interrupt, Runnable hangUp) {
        Signal.handle(new Signal("TERM"), signal -> term.run());
        Signal.handle(new Signal("INT"), signal -> interrupt.run());
        Signal.handle(new Signal("HUP"), signal -> hangUp.run());
    }
}
