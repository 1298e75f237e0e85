package io.meshhost.apply;

import io.meshhost.declaration.Resource;
import io.meshhost.machine.ExpectedFailure;
import io.meshhost.record.Applied;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A declared resource with its kind and its row: the one place that knows the type of both.
 *
 * @param recorded its row, or one that it inherits
 */
record Subject<R extends Resource, S>(Kind<R, S> kind, R resource, Optional<Applied> recorded) {

    /** What was seen, closed over its type, waiting for the plan to come to it. */
    @FunctionalInterface
    interface Seen {
        Change plan(Set<String> causes, Facts facts);
    }

    // Kinds are found by the word of the declaration, and each declares the record that this word is parsed
    // into; a kind under the wrong word would fail at its first resource, in its first test.
    @SuppressWarnings("unchecked")
    static Subject<?, ?> of(Map<String, Kind<?, ?>> kinds, Resource resource, Optional<Applied> recorded) {
        Kind<?, ?> kind = kinds.get(resource.type());
        if (kind == null) {
            throw new IllegalArgumentException("no kind applies a " + resource.type());
        }
        return new Subject<>((Kind<Resource, Object>) kind, resource, recorded);
    }

    /** What cannot be looked at fails alone: the others are planned all the same. */
    Seen observe(Sight sight) {
        try {
            S seen = kind.observe(resource, recorded, sight);
            return (causes, facts) -> kind.plan(resource, seen, recorded, causes, facts);
        } catch (ExpectedFailure failure) {
            Change failed = Change.failed(resource.id(), resource.type(), failure.sentence(), recorded);
            return (causes, facts) -> failed;
        }
    }

    /** As {@link #observe}, but with nothing at the target. */
    Seen observeCleared(Sight sight) {
        return kind.observeCleared(resource, sight)
                .<Seen>map(seen -> (causes, facts) -> kind.plan(resource, seen, Optional.empty(), causes, facts))
                .orElse((causes, facts) -> Change.skipped(
                        resource.id(),
                        resource.type(),
                        "what stands at " + resource.target() + " goes first; the next apply decides",
                        Optional.empty()));
    }

    Set<String> units() {
        return kind.units(resource);
    }

    Optional<byte[]> contentBefore(Change change, Work work) {
        return kind.contentBefore(resource, change, work);
    }

    boolean stage(Change change, Work work) {
        return kind.stage(resource, change, work);
    }

    boolean unstage(Change change, Work work) {
        return kind.unstage(resource, change, work);
    }

    Done carryOut(Change change, Work work) {
        return kind.carryOut(resource, change, work);
    }

    Optional<String> settle(Applied row, Work work) {
        return kind.settle(resource, row, work);
    }
}
