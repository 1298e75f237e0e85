package io.meshhost.apply;

import io.meshhost.declaration.Resource.DirectoryResource;
import io.meshhost.machine.Files.Attributes;
import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.Stat;
import io.meshhost.record.Applied;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A directory with its mode and owner; what is in it is never its business.
 *
 * <p>Undeclared, one that was found gets back its mode and owner, and one that was made goes once it is empty.
 */
final class DirectoryKind implements Kind<DirectoryResource, DirectoryKind.Seen> {
    private final InstantSource clock;

    /**
     * @param clock of file times
     */
    DirectoryKind(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * @param way down to it
     * @param children what it holds, looked at only when it is no longer declared
     * @param parents made for it, with what they hold, innermost first
     */
    record Seen(
            Path path,
            Optional<Stat> stat,
            Way way,
            List<String> differences,
            List<Path> children,
            Map<Path, List<Path>> parents) {}

    @Override
    public String type() {
        return "directory";
    }

    @Override
    public boolean batched() {
        return true;
    }

    @Override
    public boolean stages() {
        return false;
    }

    @Override
    public Seen observe(DirectoryResource resource, Optional<Applied> recorded, Sight sight) {
        Path path = sight.places().real(resource.path());
        return seen(resource, path, sight.files().stat(path), sight);
    }

    @Override
    public Optional<Seen> observeCleared(DirectoryResource resource, Sight sight) {
        return Optional.of(seen(resource, sight.places().real(resource.path()), Optional.empty(), sight));
    }

    private static Seen seen(DirectoryResource resource, Path path, Optional<Stat> stat, Sight sight) {
        List<String> differences = stat.map(there -> ownership(resource).differences(there, sight.accounts()))
                .orElse(List.of());
        boolean asDeclared = stat.isPresent() && differences.isEmpty();
        return new Seen(
                path,
                stat,
                asDeclared ? Way.untrodden() : Way.to(path, stat, sight.files()),
                differences,
                List.of(),
                Map.of());
    }

    private static Ownership ownership(DirectoryResource resource) {
        return new Ownership(resource.mode(), resource.owner(), resource.group());
    }

    @Override
    public Change plan(
            DirectoryResource resource, Seen seen, Optional<Applied> recorded, Set<String> causes, Facts facts) {
        if (seen.stat().isPresent() && !seen.stat().get().isDirectory()) {
            String what = seen.stat().get().isLink() ? "a symlink" : "a file";
            return Change.failed(
                    resource.id(),
                    resource.type(),
                    "cannot make the directory " + resource.path() + ": " + what + " is in the way; move it away, or"
                            + " declare another path",
                    recorded);
        }
        if (seen.stat().isPresent() && seen.differences().isEmpty()) {
            return asDeclared(resource, seen, recorded, facts);
        }
        return seen.way()
                .closed(seen.path(), facts.future())
                .map(why -> Change.failed(
                        resource.id(),
                        resource.type(),
                        "cannot make the directory " + seen.path() + ": " + why,
                        recorded))
                .orElseGet(() -> made(resource, seen, recorded, facts));
    }

    private static Change made(DirectoryResource resource, Seen seen, Optional<Applied> recorded, Facts facts) {
        if (seen.stat().isEmpty()) {
            List<Step> steps = new ArrayList<>();
            if (!seen.way().missing().isEmpty()) {
                steps.add(new FileSteps.MakeParents(seen.way().missing()));
            }
            steps.add(new FileSteps.Change(seen.path(), "mode and owner"));
            return change(resource, Action.CREATED, "made", steps, seen, recorded, facts);
        }
        String what = String.join(", ", seen.differences());
        List<Step> steps = List.of(new FileSteps.Change(seen.path(), what));
        return change(resource, Action.UPDATED, what, steps, seen, recorded, facts);
    }

    private static Change asDeclared(DirectoryResource resource, Seen seen, Optional<Applied> recorded, Facts facts) {
        Step note = new FileSteps.Note("note " + seen.path());
        if (recorded.filter(Applied::pending).isPresent()) {
            Action action = recorded.get().want().isEmpty() ? Action.CREATED : Action.UPDATED;
            return change(resource, action, "finished what was interrupted", List.of(note), seen, recorded, facts);
        }
        if (recorded.filter(row -> row.want().equals(ownership(resource).words()))
                .isPresent()) {
            return Change.unchanged(resource.id(), resource.type(), "as declared", recorded.get());
        }
        String detail = recorded.isPresent() ? "as declared" : "was so already; kept from now on";
        return change(resource, Action.UNCHANGED, detail, List.of(note), seen, recorded, facts);
    }

    private static Change change(
            DirectoryResource resource,
            Action action,
            String detail,
            List<Step> steps,
            Seen seen,
            Optional<Applied> recorded,
            Facts facts) {
        Applied row = recorded.orElseGet(() -> Applied.first(
                resource.id(),
                resource.type(),
                resource.target(),
                Before.of(seen.stat(), "", "").json()));
        PathNotes notes =
                PathNotes.read(row.notes(), facts.places()).with(seen.way().missing(), "");
        return Change.of(
                resource,
                action,
                detail,
                Diff.NONE,
                steps,
                row.withNotes(notes.json(facts.places())),
                ownership(resource).words());
    }

    @Override
    public Done carryOut(DirectoryResource resource, Change change, Work work) {
        Path path = work.places().real(resource.path());
        for (Step step : change.steps()) {
            switch ((FileSteps) step) {
                case FileSteps.Change set -> {
                    boolean fresh = work.files().stat(path).isEmpty();
                    Attributes wanted = ownership(resource)
                            .attributes(work.accounts(), fresh ? OptionalInt.of(0755) : OptionalInt.empty());
                    if (fresh) {
                        work.files().makeDirectory(path, wanted);
                    } else {
                        work.files().change(path, wanted);
                    }
                }
                case FileSteps other -> PathWork.carryOut(other, change, work);
            }
        }
        return PathWork.done(path, change, work, clock);
    }

    @Override
    public Seen observeUndeclared(Applied recorded, Sight sight) {
        Path path = sight.places().real(Path.of(recorded.target()));
        Optional<Stat> stat = sight.files().stat(path);
        boolean directory = stat.filter(Stat::isDirectory).isPresent();
        return new Seen(
                path,
                stat,
                Way.untrodden(),
                List.of(),
                directory ? sight.files().list(path) : List.of(),
                EmptyParents.look(
                        PathNotes.read(recorded.notes(), sight.places()).parents(), sight.files()));
    }

    @Override
    public Change planUndeclare(Applied recorded, Seen seen, Facts facts) {
        Before before = Before.read(recorded.before());
        List<Step> steps = new ArrayList<>();
        if (seen.stat().isEmpty()) {
            EmptyParents.step(seen.parents(), Set.of(seen.path()), facts.future())
                    .ifPresent(steps::add);
            return Change.leaving(recorded, Action.FORGOTTEN, "gone already", steps);
        }
        Stat there = seen.stat().get();
        if (!there.isDirectory()) {
            return Change.leaving(recorded, Action.FORGOTTEN, "left: it is no directory any more", steps);
        }
        if (before.was() == Before.Was.DIRECTORY) {
            return putBack(recorded, before, there, seen, facts);
        }
        if (!facts.future().empties(seen.path(), seen.children())) {
            return Change.leaving(recorded, Action.FORGOTTEN, "left: it is not empty", steps);
        }
        steps.add(new FileSteps.Delete(seen.path()));
        EmptyParents.step(seen.parents(), Set.of(seen.path()), facts.future()).ifPresent(steps::add);
        return Change.leaving(recorded, Action.REMOVED, "removed", steps);
    }

    private static Change putBack(Applied recorded, Before before, Stat there, Seen seen, Facts facts) {
        boolean owner = facts.root() && (before.uid() != there.uid() || before.gid() != there.gid());
        if (before.mode() == there.mode() && !owner) {
            return Change.leaving(recorded, Action.FORGOTTEN, "is as it was before the host", List.of());
        }
        return Change.leaving(
                recorded,
                Action.RESTORED,
                "mode and owner are as they were before",
                List.of(new FileSteps.PutBack(seen.path(), before)));
    }

    @Override
    public Done undeclare(Applied recorded, Change change, Work work) {
        for (Step step : change.steps()) {
            switch ((FileSteps) step) {
                case FileSteps.PutBack back -> {
                    Before before = back.before();
                    boolean root = work.accounts().root();
                    work.files()
                            .change(
                                    back.path(),
                                    new Attributes(
                                            OptionalInt.of(before.mode()),
                                            root ? OptionalInt.of(before.uid()) : OptionalInt.empty(),
                                            root ? OptionalInt.of(before.gid()) : OptionalInt.empty()));
                }
                case FileSteps.Delete delete -> {
                    if (!work.files().list(delete.path()).isEmpty()) {
                        throw new MachineFailure("cannot remove " + delete.path()
                                + ": something was put there meanwhile; empty it, or apply again to leave it");
                    }
                    work.files().delete(delete.path());
                }
                case FileSteps other -> PathWork.carryOut(other, change, work);
            }
        }
        return new Done(change.detail(), "", recorded.notes());
    }
}
