package io.meshhost.launch;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** Without a back-off, what a failure of the running host leads to is decided, and rehearsed, before there is one. */
final class Haste {
    private final Means means;
    private final LifeCycle cycle;
    private final Ledger ledger;
    private final Counting counting;
    private final GoingBack goingBack;
    private final boolean hurried;
    private Optional<Foreseen> foreseen = Optional.empty();

    Haste(Means means, LifeCycle cycle, Ledger ledger, Counting counting, GoingBack goingBack) {
        this.means = means;
        this.cycle = cycle;
        this.ledger = ledger;
        this.counting = counting;
        this.goingBack = goingBack;
        // With a back-off there is time for everything.
        this.hurried = means.limits().backOff().equals(Duration.ZERO);
    }

    private Choosing choosing() {
        return ledger.choosing(means.limits().starts());
    }

    /** @param undisturbed whether there is nothing else to do */
    void rehearse(State state, LastRan last, Starter starter, Optional<String> socket, BooleanSupplier undisturbed) {
        if (hurried) {
            new Rehearsal(cycle, choosing(), ledger, starter)
                    .go(state, last, socket, means.ticker()::nanos, undisturbed);
        }
    }

    /** While there is time. */
    void foresee(State state, LastRan last) {
        foreseen = Optional.empty();
        boolean up = state.life() instanceof Life.Starting || state.life() instanceof Life.Ready;
        if (!hurried || !up) {
            return;
        }
        Optional<Scene> scene = ledger.readAhead(last.failing());
        if (!counting.owing() && !counting.owingMark() && !goingBack.owing()) {
            foreseen = scene.flatMap(files ->
                    Foreseen.of(cycle, choosing(), state, files, means.ticker().nanos()));
        }
    }

    /**
     * Starts what was foreseen, but only while that holds to the last: no file has changed.
     *
     * @param disturbed whether anybody has told us anything
     */
    void act(Event event, boolean disturbed, Running running, Function<Host, Starter.Wanted> wanted) {
        if (event instanceof Event.Exited(int status)
                && status != 0
                && foreseen.isPresent()
                && !disturbed
                && ledger.standsAhead()) {
            counting.starting(ledger.mark());
            running.hasten(foreseen.get(), wanted.apply(foreseen.get().host()));
        }
        foreseen = Optional.empty();
    }
}
