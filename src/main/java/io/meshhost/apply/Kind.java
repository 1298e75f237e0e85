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
     * @param causes ids of {@code restart_on} that change in this plan, or whose restart is still owed
     */
    Change plan(R resource, S seen, Optional<Applied> recorded, Set<String> causes, Facts facts);

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

    S observeUndeclared(Applied recorded, Sight sight);

    /** RESTORED, REMOVED, FORGOTTEN (nothing of it is there any more), or SKIPPED with the reason it is left. */
    Change planUndeclare(Applied recorded, S seen, Facts facts);

    /** Does the steps of an undeclaring change; the engine then deletes the row. */
    Done undeclare(Applied recorded, Change change, Work work);
}
