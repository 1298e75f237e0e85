package io.meshhost.apply;

import io.meshhost.declaration.Resource;
import io.meshhost.machine.ExpectedFailure;
import io.meshhost.record.Applied;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A row whose resource is no longer declared, with its kind. */
record Leaving<R extends Resource, S>(Kind<R, S> kind, Applied row) {

    @FunctionalInterface
    interface Seen {
        Change plan(Facts facts);
    }

    static Leaving<?, ?> of(Map<String, Kind<?, ?>> kinds, Applied row) {
        // Written by a newer host, before a rollback: nobody here knows how to take it away, and all else goes on.
        Kind<?, ?> kind = kinds.getOrDefault(row.type(), new UnknownKind(row.type()));
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
        return Change.leaving(row, action, detail, List.of());
    }

    /** Whether this version cannot even look at it. */
    boolean unknown() {
        return kind instanceof UnknownKind;
    }

    Set<String> units() {
        return kind.units(row);
    }

    Done undeclare(Change change, Work work) {
        return kind.undeclare(row, change, work);
    }
}
