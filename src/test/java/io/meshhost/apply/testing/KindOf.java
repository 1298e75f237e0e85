package io.meshhost.apply.testing;

import io.meshhost.apply.Change;
import io.meshhost.apply.Done;
import io.meshhost.apply.Facts;
import io.meshhost.apply.Kind;
import io.meshhost.apply.Sight;
import io.meshhost.apply.Work;
import io.meshhost.declaration.Resource;
import io.meshhost.record.Applied;
import java.util.Optional;
import java.util.Set;

/** A kind as it is, for a test to change one thing about it. */
public class KindOf<R extends Resource, S> implements Kind<R, S> {
    private final Kind<R, S> inner;

    public KindOf(Kind<R, S> inner) {
        this.inner = inner;
    }

    @Override
    public String type() {
        return inner.type();
    }

    @Override
    public Set<String> units(R resource) {
        return inner.units(resource);
    }

    @Override
    public Set<String> units(Applied recorded) {
        return inner.units(recorded);
    }

    @Override
    public S observe(R resource, Optional<Applied> recorded, Sight sight) {
        return inner.observe(resource, recorded, sight);
    }

    @Override
    public Optional<S> observeCleared(R resource, Sight sight) {
        return inner.observeCleared(resource, sight);
    }

    @Override
    public Change plan(R resource, S seen, Optional<Applied> recorded, Set<String> causes, Facts facts) {
        return inner.plan(resource, seen, recorded, causes, facts);
    }

    @Override
    public boolean batched() {
        return inner.batched();
    }

    @Override
    public boolean stages() {
        return inner.stages();
    }

    @Override
    public Optional<byte[]> contentBefore(R resource, Change change, Work work) {
        return inner.contentBefore(resource, change, work);
    }

    @Override
    public boolean stage(R resource, Change change, Work work) {
        return inner.stage(resource, change, work);
    }

    @Override
    public boolean unstage(R resource, Change change, Work work) {
        return inner.unstage(resource, change, work);
    }

    @Override
    public Done carryOut(R resource, Change change, Work work) {
        return inner.carryOut(resource, change, work);
    }

    @Override
    public Optional<String> settle(R resource, Applied row, Work work) {
        return inner.settle(resource, row, work);
    }

    @Override
    public S observeUndeclared(Applied recorded, Sight sight) {
        return inner.observeUndeclared(recorded, sight);
    }

    @Override
    public Change planUndeclare(Applied recorded, S seen, Facts facts) {
        return inner.planUndeclare(recorded, seen, facts);
    }

    @Override
    public Done undeclare(Applied recorded, Change change, Work work) {
        return inner.undeclare(recorded, change, work);
    }
}
