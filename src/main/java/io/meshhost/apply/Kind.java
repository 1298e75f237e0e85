package io.meshhost.apply;

import io.meshhost.declaration.Resource;
import io.meshhost.record.Applied;
import java.util.Optional;
import java.util.Set;

/**
 * The seam of the engine: one kind of resource, from looking to taking away.
 *
 * <p>The contract, in the order of an apply. {@link #observe} changes nothing and may run beside others.
 * {@link #plan} is pure: the same arguments give the same change, and it never looks at the machine.
 * {@link #carryOut} does the steps of that change and no others, converges in one call or throws an
 * {@link io.meshhost.machine.ExpectedFailure}, and leaves nothing half: interrupted at any
 * instruction, the next apply's observe and plan see what is left (the row is PENDING) and finish or undo it.
 * A second apply plans UNCHANGED.
 *
 * @param <R> the resource
 * @param <S> what is seen of it; plain data
 */
public interface Kind<R extends Resource, S> {
    /** The word of the declaration. */
    String type();

    /** Units whose state {@link Sight#state} should know, asked for all resources in one batch before observing. */
    default Set<String> units(R resource) {
        return Set.of();
    }

    /** The same for a row whose resource is no longer declared. */
    default Set<String> units(Applied recorded) {
        return Set.of();
    }

    S observe(R resource, Optional<Applied> recorded, Sight sight);

    /**
     * What {@link #observe} would see of the resource once something of another type, which stands at its
     * target now, is gone. Empty: cannot be told, and the plan leaves it to the next apply.
     */
    default Optional<S> observeCleared(R resource, Sight sight) {
        return Optional.empty();
    }

    /**
     * @param causes ids of {@code restart_on} that change in this plan, or whose restart is still owed
     */
    Change plan(R resource, S seen, Optional<Applied> recorded, Set<String> causes, Facts facts);

    /**
     * Whether neighbouring changes of such kinds may share one transaction and one fsync of each directory:
     * true where carrying out starts nothing that could read what is not yet on disk.
     */
    default boolean batched() {
        return false;
    }

    /** Whether {@link #stage} does anything: all rows of the kind are then PENDING before the first is carried out. */
    default boolean stages() {
        return true;
    }

    /** What is at the target now, to be kept in the record when the row is new; read, never changed. */
    default Optional<byte[]> contentBefore(R resource, Change change, Work work) {
        return Optional.empty();
    }

    /**
     * Before the first change of the kind is carried out, for all of its changes: writes what one reload can
     * cover together (unit files). The engine reloads once after all are staged.
     *
     * @return whether a reload is needed
     */
    default boolean stage(R resource, Change change, Work work) {
        return false;
    }

    /** Undoes {@link #stage} of a change that will not be carried out because something before it failed. */
    default boolean unstage(R resource, Change change, Work work) {
        return false;
    }

    /**
     * Does the steps. The row was recorded as PENDING before, with what was there.
     *
     * @return what to record and say; the detail may say more than the plan's, never something else
     */
    Done carryOut(R resource, Change change, Work work);

    /**
     * A signature that needs no closer look next time, asked at the end of an apply for what was carried out
     * in it: right after a write none can be trusted, since a second write may carry the same times.
     *
     * @return empty: the one recorded is as good as it gets
     */
    default Optional<String> settle(R resource, Applied row, Work work) {
        return Optional.empty();
    }

    S observeUndeclared(Applied recorded, Sight sight);

    /** RESTORED, REMOVED, FORGOTTEN (nothing of it is there any more), or SKIPPED with the reason it is left. */
    Change planUndeclare(Applied recorded, S seen, Facts facts);

    /** Does the steps of an undeclaring change; the engine then deletes the row. */
    Done undeclare(Applied recorded, Change change, Work work);
}
