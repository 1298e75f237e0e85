package io.meshhost.apply;

import io.meshhost.machine.ExpectedFailure;
import io.meshhost.record.Applied;
import io.meshhost.record.RecordStore.Beginning;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What is left to do after the last item. By then the machine has been changed: what fails here is the outcome of
 * those that it concerns, and never the end of the report.
 */
final class Ending {
    private final Work work;
    private final Closing closing;
    private final List<Item.Declared> unstaged = new ArrayList<>();
    private final List<Outcome> outcomes;

    /**
     * @param outcomes those told so far; what fails is changed in place
     */
    Ending(Work work, Closing closing, List<Outcome> outcomes) {
        this.work = work;
        this.closing = closing;
        this.outcomes = outcomes;
    }

    /** Why the staging could not be taken back: this resource's failure, not the end of the whole apply. */
    Optional<String> unstage(Item.Declared item) {
        try {
            if (item.subject().unstage(item.change(), work)) {
                unstaged.add(item);
            }
            return Optional.empty();
        } catch (ExpectedFailure failure) {
            return Optional.of(failure.sentence());
        } catch (RuntimeException bug) {
            return Optional.of(Fault.in(item.id(), bug));
        }
    }

    /**
     * @param idle ids that had nothing to do, and so have no restart to catch up on
     */
    void end(Set<String> idle) {
        Set<String> debts = closing.debts(idle);
        attempt(debts, () -> closing.forgive(debts));
        if (!unstaged.isEmpty()) {
            attempt(ids(unstaged), this::reload);
        }
        attempt(closing.unsettled(), () -> closing.settle((id, bug) -> failed(Set.of(id), Fault.in(id, bug))));
    }

    private void reload() {
        try {
            work.services().reload();
        } catch (ExpectedFailure failure) {
            reopen();
            throw failure;
        }
    }

    /**
     * The unit files are the old ones again, but the supervisor may still go by the new ones, and nobody can see that
     * later: a row that is PENDING makes the next apply have them read once more. A first apply left no row, and no file.
     */
    private void reopen() {
        List<Beginning> rows = new ArrayList<>();
        for (Item.Declared item : unstaged) {
            item.subject()
                    .recorded()
                    .map(row -> row.renamed(item.heirOf().orElse(row.id())))
                    .map(Applied::pendingAgain)
                    .ifPresent(row -> rows.add(new Beginning(row, Optional.empty())));
        }
        if (!rows.isEmpty()) {
            work.record().begin(rows);
        }
    }

    private void attempt(Set<String> ids, Runnable step) {
        try {
            step.run();
        } catch (ExpectedFailure failure) {
            failed(ids, failure.sentence());
        } catch (RuntimeException bug) {
            failed(ids, Fault.in(String.join(", ", ids), bug));
        }
    }

    private void failed(Set<String> ids, String sentence) {
        outcomes.replaceAll(told -> ids.contains(told.id()) && told.error() == null
                ? new Outcome(told.id(), told.type(), Action.FAILED.word(), told.detail(), sentence, told.millis())
                : told);
    }

    private static Set<String> ids(Collection<Item.Declared> items) {
        Set<String> ids = new HashSet<>();
        items.forEach(item -> ids.add(item.id()));
        return ids;
    }
}
