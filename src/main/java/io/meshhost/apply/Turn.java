package io.meshhost.apply;

import io.meshhost.record.Applied;
import java.util.Optional;

/**
 * What became of one item, before it is told: the record must hold it first.
 *
 * @param row to be written when the batch is finished
 * @param forget a row id to be deleted then
 * @param inPlace whether the resource is now as declared
 */
record Turn(Item item, Outcome outcome, Optional<Applied> row, Optional<String> forget, boolean inPlace) {

    static Turn passed(Item item) {
        return new Turn(
                item,
                outcome(item, item.change().action(), item.change().detail()),
                Optional.empty(),
                Optional.empty(),
                false);
    }

    static Turn failed(Item item, String sentence, long millis) {
        Change change = item.change();
        return new Turn(
                item,
                new Outcome(change.id(), change.type(), Action.FAILED.word(), change.detail(), sentence, millis),
                Optional.empty(),
                Optional.empty(),
                false);
    }

    /** The row goes back to what it was before the batch was begun. */
    static Turn skipped(Item item, String why, boolean begun) {
        Outcome outcome = outcome(item, Action.SKIPPED, why);
        if (!begun || !(item instanceof Item.Declared declared)) {
            return new Turn(item, outcome, Optional.empty(), Optional.empty(), false);
        }
        boolean fresh = declared.first() || declared.heirOf().isPresent();
        return new Turn(
                item,
                outcome,
                fresh ? Optional.empty() : declared.subject().recorded(),
                fresh ? Optional.of(item.id()) : Optional.empty(),
                false);
    }

    static Turn done(Item.Declared item, Done done, Applied row) {
        Change change = item.change();
        return new Turn(
                item,
                outcome(item, change.action(), done.detail()),
                Optional.of(row.applied(change.want(), done.signature(), done.notes())),
                item.heirOf(),
                true);
    }

    static Turn gone(Item.Leaves item, String detail) {
        return new Turn(
                item,
                outcome(item, item.change().action(), detail),
                Optional.empty(),
                Optional.of(item.leaving().row().id()),
                false);
    }

    /** The same, but it could not be written down: the next apply finds it PENDING and finishes it. */
    Turn unrecorded(String sentence) {
        if (row.isEmpty() && forget.isEmpty()) {
            return this;
        }
        return failed(item, sentence, outcome.millis());
    }

    Turn took(long millis) {
        Outcome told =
                new Outcome(outcome.id(), outcome.type(), outcome.action(), outcome.detail(), outcome.error(), millis);
        return new Turn(item, told, row, forget, inPlace);
    }

    boolean failed() {
        return outcome.action().equals(Action.FAILED.word());
    }

    private static Outcome outcome(Item item, Action action, String detail) {
        Change change = item.change();
        boolean failed = action == Action.FAILED;
        return new Outcome(change.id(), change.type(), action.word(), detail, failed ? detail : null, 0);
    }
}
