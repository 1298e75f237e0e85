package io.meshhost.apply;

import io.meshhost.machine.ExpectedFailure;
import io.meshhost.record.Applied;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Carries a plan out, item by item. Confined to one thread, used once.
 *
 * <p>Failure model: the power may be cut at any instruction. A row is PENDING on disk before the first
 * change for it, and APPLIED only after every change is on disk; what is told was written down before.
 */
final class Executor {
    /** Its waits are bounded: a unit's job by ten minutes. What takes longer tells of it itself. */
    private static final Duration ONE_RESOURCE = Duration.ofMinutes(15);

    /** Rows of one transaction: enough that its two fsyncs vanish beside the files', few enough to see progress. */
    private static final int BATCH = 500;

    private final Work work;
    private final Run run;
    private final Function<Item.Declared, Change> again;
    private final Opening opening;
    private final Closing closing;
    private final Ending ending;
    private final Standing standing = new Standing();
    private final List<Outcome> outcomes = new ArrayList<>();
    private List<Item> batch = new ArrayList<>();
    private int batchWork;

    /**
     * @param again looks at a resource and plans it anew, once what stood in its way is gone
     */
    Executor(Work work, Run run, Function<Item.Declared, Change> again, Opening opening, Closing closing) {
        this.work = work;
        this.run = run;
        this.again = again;
        this.opening = opening;
        this.closing = closing;
        this.ending = new Ending(work, closing, outcomes);
    }

    /** The outcomes in order, one for each item. */
    List<Outcome> carryOut(List<Item> items, Claims claims) {
        relabel(claims);
        for (int i = 0; i < items.size(); i++) {
            take(items.get(i), items.subList(i + 1, items.size()));
        }
        flush();
        ending.end(idle(items));
        return outcomes;
    }

    /** An id that now means something else gives up its row first, in one transaction with what it held before. */
    private void relabel(Claims claims) {
        Map<String, Applied> old = claims.relabelled();
        if (!old.isEmpty()) {
            work.record().finish(old.values(), old.keySet(), Map.of(), Set.of());
        }
    }

    private void take(Item item, List<Item> rest) {
        Item next = item;
        boolean alone = !item.kind().batched();
        if (item instanceof Item.Declared declared && declared.cleared()) {
            flush();
            next = declared.with(lookedAgain(declared));
            alone = true;
        } else if (item instanceof Item.Leaves leaves && leaves.displaced()) {
            alone = true;
        }
        if (next.work() && (alone || batchWork >= BATCH || mixed(next))) {
            flush();
        }
        if (next instanceof Item.Declared declared && next.work() && next.kind().stages() && !opening.begun(next)) {
            stage(declared, rest);
        }
        batch.add(next);
        batchWork += next.work() ? 1 : 0;
        if (next.work() && alone) {
            flush();
        }
    }

    private Change lookedAgain(Item.Declared item) {
        try {
            return again.apply(item);
        } catch (ExpectedFailure failure) {
            return lookFailed(item, failure.sentence());
        } catch (RuntimeException bug) {
            return lookFailed(item, Fault.in(item.id(), bug));
        }
    }

    private static Change lookFailed(Item.Declared item, String sentence) {
        return Change.failed(
                item.id(), item.resource().type(), sentence, item.subject().recorded());
    }

    /** Taking away starts only when everything declared is in place and on disk. */
    private boolean mixed(Item next) {
        return next instanceof Item.Leaves
                && batch.stream().anyMatch(item -> item instanceof Item.Declared && item.work());
    }

    private void stage(Item.Declared first, List<Item> rest) {
        if (run.stopping().getAsBoolean() || standing.blocks(first.resource()).isPresent()) {
            return;
        }
        List<Item.Declared> all = new ArrayList<>(List.of(first));
        for (Item item : rest) {
            if (item instanceof Item.Declared other
                    && other.resource().type().equals(first.resource().type())
                    && other.work()
                    && !other.cleared()
                    && standing.blocks(other.resource()).isEmpty()) {
                all.add(other);
            }
        }
        opening.stage(all);
    }

    private void flush() {
        List<Item> items = batch;
        batch = new ArrayList<>();
        batchWork = 0;
        List<Item.Declared> fresh = new ArrayList<>();
        for (Item item : items) {
            if (item instanceof Item.Declared declared
                    && item.work()
                    && opening.refused(item).isEmpty()
                    && !run.stopping().getAsBoolean()
                    && standing.blocks(declared.resource()).isEmpty()) {
                fresh.add(declared);
            }
        }
        opening.begin(fresh);
        List<Turn> turns = new ArrayList<>();
        items.forEach(item -> turns.add(turn(item)));
        closing.finish(turns).forEach(this::tell);
    }

    private void tell(Turn turn) {
        // A change that could not be written down has failed after all, and what needs it must not start.
        if (turn.failed() && turn.item() instanceof Item.Declared declared) {
            standing.failed(declared.resource());
        }
        outcomes.add(turn.outcome());
        run.each().accept(turn.outcome());
    }

    private Turn turn(Item item) {
        if (!item.work()) {
            if (item instanceof Item.Declared declared && declared.blocked()) {
                standing.blocked(declared.resource());
            } else if (item instanceof Item.Declared declared && item.change().action() == Action.FAILED) {
                standing.failed(declared.resource());
            }
            return Turn.passed(item);
        }
        Turn turn = switch (item) {
            case Item.Declared declared -> declared(declared);
            case Item.Leaves leaves -> leaves(leaves);
        };
        if (turn.failed() && item instanceof Item.Declared declared) {
            standing.failed(declared.resource());
        }
        return turn;
    }

    private Turn declared(Item.Declared item) {
        Optional<String> blocked = run.stopping().getAsBoolean()
                ? Optional.of("not done: the host is stopping; the next apply goes on here")
                : standing.blocks(item.resource());
        if (blocked.isPresent()) {
            standing.blocked(item.resource());
            if (opening.begun(item) && item.kind().stages()) {
                Optional<String> stuck = ending.unstage(item);
                if (stuck.isPresent()) {
                    return Turn.failed(item, stuck.get(), 0);
                }
            }
            return Turn.skipped(item, blocked.get(), opening.begun(item));
        }
        Optional<String> refused = opening.refused(item);
        if (refused.isPresent()) {
            return Turn.failed(item, refused.get(), 0);
        }
        return timed(item, () -> {
            Done done = item.kind().batched()
                    ? item.subject().carryOut(item.change(), work)
                    : LongWork.during(
                            work, item.id(), ONE_RESOURCE, () -> item.subject().carryOut(item.change(), work));
            return Turn.done(item, done, opening.row(item));
        });
    }

    private Turn leaves(Item.Leaves item) {
        String slug = item.leaving().row().slug();
        if (run.stopping().getAsBoolean()) {
            return Turn.skipped(item, "left: the host is stopping; the next apply goes on here", false);
        }
        if (!item.displaced() && standing.troubled(slug)) {
            return Turn.skipped(item, Planner.waits(slug), false);
        }
        return timed(item, () -> {
            boolean nothing = item.change().steps().isEmpty();
            return Turn.gone(
                    item,
                    nothing
                            ? item.change().detail()
                            : item.leaving().undeclare(item.change(), work).detail());
        });
    }

    private Turn timed(Item item, Supplier<Turn> how) {
        long since = work.ticker().nanos();
        Turn turn;
        try {
            turn = how.get();
        } catch (ExpectedFailure failure) {
            turn = Turn.failed(item, failure.sentence(), 0);
        } catch (RuntimeException bug) {
            turn = Turn.failed(item, Fault.in(item.id(), bug), 0);
        }
        return turn.took(TimeUnit.NANOSECONDS.toMillis(work.ticker().nanos() - since));
    }

    /** Declared, not waiting for anything, and with nothing to do. */
    private static Set<String> idle(List<Item> items) {
        Set<String> idle = new HashSet<>();
        for (Item item : items) {
            if (item instanceof Item.Declared declared
                    && !item.work()
                    && !declared.blocked()
                    && item.change().action() != Action.FAILED) {
                idle.add(item.id());
            }
        }
        return idle;
    }
}
