package io.meshhost.apply;

import io.meshhost.declaration.Resource;
import io.meshhost.machine.ExpectedFailure;
import io.meshhost.record.Applied;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A row whose resource is no longer declared, with its kind. */
record Leaving<R extends Resource, S>(Kind<R, S> kind, Applied row) {

    @FunctionalInterface
    interface Seen {
        Change plan(Facts facts);
    }

    static Leaving<?, ?> of(Map<String, Kind<?, ?>> kinds, Applied row) {
        Kind<?, ?> kind = kinds.get(row.type());
        if (kind == null) {
            // Written by a newer host; a downgrade must not end every apply.
            throw new ApplyFailure(
                    ApplyFailure.Reason.FAILED,
                    "cannot take away " + row.id() + ": this version knows no " + row.type()
                            + "; apply with the version that made it");
        }
        return new Leaving<>(kind, row);
    }

    Seen observe(Sight sight) {
        try {
            S seen = kind.observeUndeclared(row, sight);
            return facts -> kind.planUndeclare(row, seen, facts);
        } catch (ExpectedFailure failure) {
            Change failed = left(Action.FAILED, failure.sentence());
            return facts -> failed;
        }
    }

    /** An undeclaring change that does nothing to the machine. */
    Change left(Action action, String detail) {
        return new Change(row.id(), row.type(), action, detail, List.of(), List.of(), Optional.of(row), "", true);
    }

    Set<String> units() {
        return kind.units(row);
    }

    Done undeclare(Change change, Work work) {
        return kind.undeclare(row, change, work);
    }
}
