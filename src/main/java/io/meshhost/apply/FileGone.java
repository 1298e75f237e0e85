package io.meshhost.apply;

import io.meshhost.machine.Stat;
import io.meshhost.record.Applied;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What is seen of a file that is no longer declared, and what is to become of it.
 *
 * @param digest of the file there, keyed where it was secret
 * @param aside a free name beside it, for what somebody else wrote there
 * @param littered whether an interrupted apply left something beside it
 * @param parents directories made for it with what they hold, innermost first
 */
record FileGone(
        Path path,
        Optional<Stat> stat,
        String digest,
        String link,
        Before before,
        PathNotes notes,
        Path aside,
        boolean littered,
        Map<Path, List<Path>> parents)
        implements FileSeen {

    static FileGone of(Applied row, Sight sight) {
        Path path = sight.places().real(Path.of(row.target()));
        Optional<Stat> stat = sight.files().stat(path);
        Before before = Before.read(row.before());
        PathNotes notes = PathNotes.read(row.notes(), sight.places());
        boolean secret = row.want().startsWith(Secrets.KEYED) || notes.intent().startsWith(Secrets.KEYED);
        String digest = stat.filter(Stat::isFile).isPresent()
                ? FileSight.keyed(secret, sight.files().sha256(path), sight)
                : "";
        String link = stat.filter(Stat::isLink).isPresent()
                ? sight.files().readLink(path).orElse("")
                : "";
        return new FileGone(
                path,
                stat,
                digest,
                link,
                before,
                notes,
                PathWork.aside(path, sight.files()),
                sight.files().littered(path)
                        || sight.files().stat(PathWork.linkAside(path)).isPresent(),
                EmptyParents.look(notes.parents(), sight.files()));
    }

    /** Pure. */
    Change plan(Applied row, Facts facts) {
        List<Step> steps = new ArrayList<>();
        if (littered) {
            steps.add(new FileSteps.Sweep(path));
        }
        if (asBefore()) {
            boolean absent = before.was() == Before.Was.ABSENT;
            if (absent) {
                parents(steps, facts);
            }
            return Change.leaving(
                    row, Action.FORGOTTEN, absent ? "gone already" : "is as it was before the host", steps);
        }
        return stat.filter(Stat::isDirectory).isPresent() || before.was() == Before.Was.LARGE
                ? Change.leaving(row, Action.FORGOTTEN, left(), steps)
                : undone(row, steps, facts);
    }

    private String left() {
        return before.was() == Before.Was.LARGE
                ? "left as it is: what was there before was too large to keep (" + before.size() + " bytes)"
                : "left: a directory stands there now";
    }

    private Change undone(Applied row, List<Step> steps, Facts facts) {
        boolean foreign = stat.isPresent() && !ours(row);
        if (foreign) {
            steps.add(new FileSteps.Aside(path, aside));
        }
        String said = foreign ? "changed since it was applied: moved to " + aside.getFileName() + "; " : "";
        if (before.was() != Before.Was.ABSENT) {
            steps.add(new FileSteps.PutBack(path, before));
            return Change.leaving(row, Action.RESTORED, said + "what was there before is back", steps);
        }
        if (!foreign) {
            steps.add(new FileSteps.Delete(path));
            parents(steps, facts);
        }
        return Change.leaving(row, Action.REMOVED, foreign ? said + "nothing was there before" : "removed", steps);
    }

    private void parents(List<Step> steps, Facts facts) {
        EmptyParents.step(parents, Set.of(path), facts.future()).ifPresent(steps::add);
    }

    private boolean ours(Applied row) {
        return !digest.isEmpty()
                && (row.want().startsWith(digest + " ") || notes.intent().equals(digest));
    }

    /** Whether there is nothing to undo: the change never happened, or somebody undid it. */
    private boolean asBefore() {
        return switch (before.was()) {
            case ABSENT -> stat.isEmpty();
            case FILE ->
                stat.filter(there -> there.isFile()
                                        && there.mode() == before.mode()
                                        && there.uid() == before.uid()
                                        && there.gid() == before.gid())
                                .isPresent()
                        && digest.equals(before.digest());
            case LINK -> stat.filter(Stat::isLink).isPresent() && link.equals(before.link());
            case LARGE, DIRECTORY -> false;
        };
    }
}
