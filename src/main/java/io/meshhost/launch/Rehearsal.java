package io.meshhost.launch;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Goes the way from a host's end to its successor's start again and again, without a step that leaves a trace, for a few
 * milliseconds while the first host starts: the JIT compiles what has run often, and when a host dies that way is not to be
 * gone for the first time.
 */
record Rehearsal(LifeCycle cycle, Choosing choosing, Ledger ledger, Starter starter) {
    private static final int TIMES = 250;
    /** Of these so many; each costs the kernel as much as a start that fails. */
    private static final int STARTS = 50;

    /** In ns: on a disk that answers slowly it is not worth it. */
    private static final long LONGEST = 200_000_000;

    private static final Event END = new Event.Exited(128 + Reports.KILL);

    /**
     * @param last the host that was started
     * @param clock the monotonic one, ns
     * @param undisturbed whether there is nothing else to do
     */
    void go(State state, LastRan last, Optional<String> socket, LongSupplier clock, BooleanSupplier undisturbed) {
        long now = clock.getAsLong();
        for (int i = 0; i < TIMES && clock.getAsLong() - now < LONGEST && undisturbed.getAsBoolean(); i++) {
            if (i == TIMES / 2) {
                // From here on as it most often is: nothing has changed since it was read.
                ledger.readAhead(last.failing());
            }
            // No bytes are looked at for a rehearsal: what is known of them is remembered.
            Choice choice = choosing.choose(ledger.scene(last.failing()).withDigests(name -> name));
            Turn turn = cycle.turn(state, END, now);
            cycle.turn(turn.next(), new Event.Chosen(choice), now);
            ledger.standsAhead();
            if (i % (TIMES / STARTS) == 0) {
                last.ran()
                        .map(Ran::host)
                        .ifPresent(host -> starter.rehearse(new Starter.Wanted(host, socket, Optional.empty())));
            }
        }
    }
}
