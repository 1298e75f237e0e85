package io.meshhost.apply;

import io.meshhost.declaration.Resource.ProcessResource;
import io.meshhost.record.Applied;
import java.time.Clock;
import java.util.Optional;
import java.util.Set;

/**
 * A process: its bundle fetched and unpacked, its unit written, kept in the state that is declared (SPEC 2,
 * Process).
 *
 * <p>What makes it safe to interrupt: the new bundle is unpacked beside and swapped in by two renames whose names
 * are fixed; the old one stays aside until the new one has proven itself; and one transaction of the record says
 * which of the two is good ({@link ProcessNotes}). {@link ProcessMend} has the table of what may be found.
 */
public final class ProcessKind implements Kind<ProcessResource, ProcessSight> {
    private final Clock clock;

    /** @param clock in the machine's zone: plans name the next hour that daylight saving takes away */
    public ProcessKind(Clock clock) {
        this.clock = clock;
    }

    @Override
    public String type() {
        return "process";
    }

    @Override
    public Set<String> units(ProcessResource resource) {
        return units(resource.name());
    }

    @Override
    public Set<String> units(Applied recorded) {
        return units(recorded.target());
    }

    private static Set<String> units(String name) {
        return ProcessHome.safe(name) ? Set.of(name + ".service", name + ".timer") : Set.of();
    }

    @Override
    public ProcessSight observe(ProcessResource resource, Optional<Applied> recorded, Sight sight) {
        return new ProcessLook(sight, clock).declared(resource, recorded);
    }

    @Override
    public Change plan(
            ProcessResource resource, ProcessSight seen, Optional<Applied> recorded, Set<String> causes, Facts facts) {
        return new ProcessPlan(resource, seen, recorded, causes, facts).change();
    }

    @Override
    public boolean stage(ProcessResource resource, Change change, Work work) {
        return new ProcessFiles(work, resource.name()).stage(resource, change, clock);
    }

    @Override
    public boolean unstage(ProcessResource resource, Change change, Work work) {
        return new ProcessFiles(work, resource.name()).restore(change.recorded().flatMap(ProcessNotes::read));
    }

    @Override
    public Done carryOut(ProcessResource resource, Change change, Work work) {
        return new ProcessCarry(resource, change, work, clock).carryOut();
    }

    @Override
    public ProcessSight observeUndeclared(Applied recorded, Sight sight) {
        return new ProcessLook(sight, clock).undeclared(recorded);
    }

    @Override
    public Change planUndeclare(Applied recorded, ProcessSight seen, Facts facts) {
        return ProcessRemoval.plan(recorded, seen, facts);
    }

    @Override
    public Done undeclare(Applied recorded, Change change, Work work) {
        return new ProcessRemoval(work).undeclare(recorded, change);
    }
}
