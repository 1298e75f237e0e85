package io.meshhost.apply;

import io.meshhost.declaration.Resource.ArchiveResource;
import io.meshhost.machine.Files;
import io.meshhost.machine.Places;
import io.meshhost.machine.Stat;
import io.meshhost.record.Applied;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * An archive, unpacked beside its path and swapped in whole (SPEC 2, "archive").
 *
 * <p>What others added is carried over to the new tree, and stays when the archive is undeclared. A delivered version
 * of the host is replaced whole, and never removed by being undeclared: pruning decides about those (SPEC 1).
 */
final class ArchiveKind implements Kind<ArchiveResource, ArchiveSeen> {
    private final InstantSource clock;
    private final Arrivals arrivals;

    /**
     * @param clock of file times
     */
    ArchiveKind(InstantSource clock, Arrivals arrivals) {
        this.clock = clock;
        this.arrivals = arrivals;
    }

    @Override
    public String type() {
        return "archive";
    }

    @Override
    public boolean stages() {
        return false;
    }

    @Override
    public ArchiveSeen observe(ArchiveResource resource, Optional<Applied> recorded, Sight sight) {
        Path path = sight.places().real(resource.path());
        return ArchiveSeen.wanted(resource, recorded, sight.files().stat(path), sight, clock);
    }

    @Override
    public Optional<ArchiveSeen> observeCleared(ArchiveResource resource, Sight sight) {
        return Optional.of(ArchiveSeen.wanted(resource, Optional.empty(), Optional.empty(), sight, clock));
    }

    @Override
    public Change plan(
            ArchiveResource resource, ArchiveSeen seen, Optional<Applied> recorded, Set<String> causes, Facts facts) {
        return switch (seen) {
            case ArchiveSeen.Gone gone -> throw new IllegalStateException(resource.id() + " is declared");
            case ArchiveSeen.Wanted wanted ->
                switch (wanted.supply()) {
                    case Supply.Missing missing ->
                        Change.failed(resource.id(), resource.type(), missing.sentence(), recorded);
                    case Supply.Elsewhere elsewhere ->
                        Change.skipped(resource.id(), resource.type(), elsewhere.sentence(), recorded);
                    case Supply.Known known -> plan(resource, wanted, known.sha256(), recorded, facts);
                };
        };
    }

    private static Change plan(
            ArchiveResource resource, ArchiveSeen.Wanted seen, String sha256, Optional<Applied> recorded, Facts facts) {
        if (seen.stat().filter(there -> !there.isDirectory()).isPresent()) {
            return Change.failed(
                    resource.id(),
                    resource.type(),
                    "cannot unpack to " + resource.path() + ": "
                            + (seen.stat().get().isLink() ? "a symlink" : "a file")
                            + " is in the way; move it away, or declare another path",
                    recorded);
        }
        String want = ArchiveSeen.want(resource, sha256);
        boolean same = recorded.filter(row -> !row.pending() && row.want().equals(want))
                .isPresent();
        if (same && seen.stat().isPresent() && seen.touched().isEmpty()) {
            return Change.unchanged(resource.id(), resource.type(), "as declared", recorded.orElseThrow());
        }
        if (seen.found().isPresent()) {
            return adopt(resource, seen, seen.found().get(), want);
        }
        return seen.way()
                .closed(seen.path(), facts.future())
                .map(why -> Change.failed(
                        resource.id(), resource.type(), "cannot unpack to " + seen.path() + ": " + why, recorded))
                .orElseGet(() -> unpack(resource, seen, want, recorded, facts));
    }

    private static Change unpack(
            ArchiveResource resource, ArchiveSeen.Wanted seen, String want, Optional<Applied> recorded, Facts facts) {
        boolean same = recorded.filter(row -> !row.pending() && row.want().equals(want))
                .isPresent();
        Applied row = recorded.orElseGet(() -> Applied.first(
                resource.id(),
                resource.type(),
                resource.target(),
                Before.of(seen.stat(), "", "").json()));
        return Change.of(
                resource,
                seen.stat().isEmpty() ? Action.CREATED : Action.UPDATED,
                ArchiveWords.detail(seen, recorded, same),
                seen.diff(),
                steps(seen),
                row.withNotes(notes(row, seen, facts.places())),
                want);
    }

    private static Change adopt(ArchiveResource resource, ArchiveSeen.Wanted seen, ArchiveEntries found, String want) {
        Applied row = Applied.first(
                resource.id(),
                resource.type(),
                resource.target(),
                Before.of(seen.stat(), "", "").json());
        return Change.of(
                resource,
                Action.UNCHANGED,
                "was so already; kept from now on",
                Diff.NONE,
                List.of(new ArchiveSteps.Adopt(seen.path(), found)),
                row,
                want);
    }

    private static List<Step> steps(ArchiveSeen.Wanted seen) {
        List<Step> steps = new ArrayList<>();
        if (seen.interrupted()) {
            steps.add(new ArchiveSteps.Recover(seen.path()));
        }
        if (!seen.way().missing().isEmpty()) {
            steps.add(new ArchiveSteps.MakeParents(
                    new FileSteps.MakeParents(seen.way().missing())));
        }
        steps.add(new ArchiveSteps.Swap(seen.path()));
        return steps;
    }

    private static String notes(Applied row, ArchiveSeen.Wanted seen, Places places) {
        String notes = PathNotes.read(row.notes(), places)
                .with(seen.way().missing(), "")
                .json(places);
        String all = ArchiveEntries.read(row.notes()).into(notes);
        return ArchiveJournal.read(row.notes()).map(swap -> swap.into(all)).orElse(all);
    }

    /** One directory under {@code versions/}: a version of the host itself. */
    private static boolean version(Path path, Places places) {
        return places.libexec().resolve("versions").equals(path.getParent());
    }

    @Override
    public Done carryOut(ArchiveResource resource, Change change, Work work) {
        Path path = work.places().real(resource.path());
        Applied row = change.recorded().orElseThrow();
        String notes = row.notes();
        String detail = change.detail();
        for (Step step : change.steps()) {
            switch ((ArchiveSteps) step) {
                case ArchiveSteps.Adopt adopt -> notes = adopt.entries().into(notes);
                case ArchiveSteps.Recover recover ->
                    detail += ArchiveWords.carried(archiveSwap(path, row, work).recover());
                case ArchiveSteps.MakeParents make -> PathWork.carryOut(make.parents(), change, work);
                case ArchiveSteps.Swap swap -> {
                    ArchiveSwap.Swapped swapped = swap(resource, swap, row, change.want(), work);
                    notes = ArchiveEntries.taken(path, swapped.entries(), work.files(), clock)
                            .into(PathNotes.read(notes, work.places()).json(work.places()));
                    detail += ArchiveWords.carried(swapped.carried());
                }
                case ArchiveSteps.Remove remove -> remove(remove, work.files());
                case ArchiveSteps.DeleteParents delete -> PathWork.carryOut(delete.parents(), change, work);
            }
        }
        return new Done(detail, "", notes);
    }

    /** The row, still PENDING, tells both trees apart and names the entries of each until the swap is finished. */
    private ArchiveSwap.Swapped swap(
            ArchiveResource resource, ArchiveSteps.Swap swap, Applied row, String want, Work work) {
        return archiveSwap(swap.path(), row, work).swap(resource, (unpacked, before) -> {
            Path fresh = unpacked.at();
            long tree = work.files().stat(fresh).orElseThrow().inode();
            String notes = ArchiveEntries.taken(fresh, unpacked.entries(), work.files(), clock)
                    .into(row.notes());
            Applied pending = row.pendingAgain().withNotes(new ArchiveJournal(tree, before).into(notes));
            work.record().finish(List.of(pending), List.of(), Map.of(), Set.of());
            if (version(swap.path(), work.places())) {
                arrivals.arriving(swap.path().getFileName().toString(), fresh, ArchiveSeen.digest(want));
            }
        });
    }

    private static ArchiveSwap archiveSwap(Path path, Applied row, Work work) {
        return new ArchiveSwap(path, row.notes(), version(path, work.places()), work);
    }

    @Override
    public ArchiveSeen observeUndeclared(Applied recorded, Sight sight) {
        return ArchiveSeen.gone(recorded, sight);
    }

    @Override
    public Change planUndeclare(Applied recorded, ArchiveSeen seen, Facts facts) {
        return switch (seen) {
            case ArchiveSeen.Gone gone -> planUndeclare(recorded, gone, facts);
            case ArchiveSeen.Wanted wanted -> throw new IllegalStateException(recorded.id() + " is not declared");
        };
    }

    private static Change planUndeclare(Applied row, ArchiveSeen.Gone gone, Facts facts) {
        if (version(gone.path(), facts.places())) {
            return Change.leaving(row, Action.FORGOTTEN, "left: delivered versions go by pruning only", List.of());
        }
        List<Step> steps = new ArrayList<>();
        if (gone.interrupted()) {
            steps.add(new ArchiveSteps.Recover(gone.path()));
        }
        if (gone.stat().isEmpty() || (gone.entries().isEmpty() && gone.others())) {
            String detail = gone.others() ? "left: nothing in it was unpacked" : "gone already";
            parents(gone, facts, steps);
            return Change.leaving(row, Action.FORGOTTEN, detail, steps);
        }
        boolean found = Before.read(row.before()).was() == Before.Was.DIRECTORY;
        boolean root = !found && !gone.others() && gone.changed().isEmpty();
        List<Path> entries = new ArrayList<>(gone.entries().reversed());
        entries.removeAll(gone.changed());
        steps.add(new ArchiveSteps.Remove(gone.path(), List.copyOf(gone.changed()), entries, root));
        if (root) {
            parents(gone, facts, steps);
        }
        return Change.leaving(row, Action.REMOVED, ArchiveWords.removed(gone), steps);
    }

    private static void parents(ArchiveSeen.Gone gone, Facts facts, List<Step> steps) {
        EmptyParents.step(gone.parents(), Set.of(gone.path()), facts.future())
                .ifPresent(step -> steps.add(new ArchiveSteps.DeleteParents((FileSteps.DeleteParents) step)));
    }

    @Override
    public Done undeclare(Applied recorded, Change change, Work work) {
        Path path = work.places().real(Path.of(recorded.target()));
        for (Step step : change.steps()) {
            switch ((ArchiveSteps) step) {
                case ArchiveSteps.Recover recover ->
                    archiveSwap(path, recorded, work).recover();
                case ArchiveSteps.Remove remove -> remove(remove, work.files());
                case ArchiveSteps.DeleteParents delete -> PathWork.carryOut(delete.parents(), change, work);
                case ArchiveSteps.Adopt adopt -> throw new IllegalStateException(adopt.sentence());
                case ArchiveSteps.MakeParents make -> throw new IllegalStateException(make.sentence());
                case ArchiveSteps.Swap swap -> throw new IllegalStateException(swap.sentence());
            }
        }
        return new Done(change.detail(), "", recorded.notes());
    }

    /** Directories go only once they are empty: what is in them by then is somebody's. */
    private static void remove(ArchiveSteps.Remove remove, Files files) {
        for (Path relative : remove.aside()) {
            Path changed = remove.path().resolve(relative);
            files.move(changed, PathWork.aside(changed, files));
        }
        for (Path relative : remove.entries()) {
            Path path = remove.path().resolve(relative);
            boolean directory = files.stat(path).filter(Stat::isDirectory).isPresent();
            if (!directory || files.list(path).isEmpty()) {
                files.delete(path);
            }
        }
        if (remove.root() && files.list(remove.path()).isEmpty()) {
            files.delete(remove.path());
        }
    }
}
