package io.meshhost.apply;

import io.meshhost.declaration.Resource;
import io.meshhost.record.Applied;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Stands for a kind that this version does not know, where the record of a newer one speaks of it: after a rollback
 * such a row is told and left, and the newer version finds it again.
 *
 * @param type the word in the record
 */
record UnknownKind(String type) implements Kind<Resource, UnknownKind.Unseen> {
    /** Nothing is looked at. */
    record Unseen() {}

    @Override
    public Unseen observe(Resource resource, Optional<Applied> recorded, Sight sight) {
        throw undeclarable();
    }

    @Override
    public Change plan(Resource resource, Unseen seen, Optional<Applied> recorded, Set<String> causes, Facts facts) {
        throw undeclarable();
    }

    @Override
    public Done carryOut(Resource resource, Change change, Work work) {
        throw undeclarable();
    }

    private IllegalStateException undeclarable() {
        return new IllegalStateException("a declaration of " + type + " is refused when it is read");
    }

    @Override
    public Unseen observeUndeclared(Applied recorded, Sight sight) {
        return new Unseen();
    }

    @Override
    public Change planUndeclare(Applied recorded, Unseen seen, Facts facts) {
        return Change.leaving(
                recorded,
                Action.SKIPPED,
                "cannot take away " + recorded.target() + ": this version knows no " + type
                        + ", a newer one applied it; it is left until a version that knows it is back",
                List.of());
    }

    @Override
    public Done undeclare(Applied recorded, Change change, Work work) {
        throw new IllegalStateException(recorded.id() + " was planned to be left");
    }
}
