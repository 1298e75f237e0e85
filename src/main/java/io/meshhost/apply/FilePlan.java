package io.meshhost.apply;

import io.meshhost.declaration.Resource.Content;
import io.meshhost.declaration.Resource.FileResource;
import io.meshhost.machine.Stat;
import io.meshhost.record.Applied;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is to become of a declared file: pure. */
final class FilePlan {
    private final FileResource resource;
    private final FileSight seen;
    private final Optional<Applied> recorded;
    private final Facts facts;

    FilePlan(FileResource resource, FileSight seen, Optional<Applied> recorded, Facts facts) {
        this.resource = resource;
        this.seen = seen;
        this.recorded = recorded;
        this.facts = facts;
    }

    Change change() {
        return switch (seen.supply()) {
            case Supply.Missing missing -> Change.failed(resource.id(), resource.type(), missing.sentence(), recorded);
            case Supply.Elsewhere elsewhere ->
                Change.skipped(resource.id(), resource.type(), elsewhere.sentence(), recorded);
            case Supply.Known known -> change(known.sha256());
        };
    }

    private Change change(String digest) {
        if (seen.proven()) {
            return Change.unchanged(resource.id(), resource.type(), "as declared", recorded.orElseThrow());
        }
        String want = FileSight.want(resource, digest);
        Optional<Stat> stat = seen.stat();
        boolean blocked =
                stat.filter(there -> !there.isFile() && !there.isLink()).isPresent();
        if (blocked) {
            String what = stat.orElseThrow().isDirectory() ? "a directory" : "a device, socket or pipe";
            return Change.failed(
                    resource.id(),
                    resource.type(),
                    "cannot write " + resource.path() + ": " + what + " is in the way; move it away, or declare another"
                            + " path",
                    recorded);
        }
        boolean sameContent =
                stat.filter(Stat::isFile).isPresent() && seen.digest().equals(digest);
        if (sameContent && seen.differences().isEmpty()) {
            return asDeclared(want, digest);
        }
        return seen.way()
                .closed(seen.path(), facts.future())
                .map(why -> Change.failed(
                        resource.id(), resource.type(), "cannot write " + seen.path() + ": " + why, recorded))
                .orElseGet(() -> sameContent ? attributes(want, digest) : write(want, digest));
    }

    private Change write(String want, String digest) {
        List<Step> steps = new ArrayList<>();
        if (!seen.way().missing().isEmpty()) {
            steps.add(new FileSteps.MakeParents(seen.way().missing()));
        }
        steps.add(new FileSteps.Write(seen.path(), size()));
        Action action = seen.stat().isEmpty() ? Action.CREATED : Action.UPDATED;
        return of(action, detail(), seen.diff(), steps, want, digest);
    }

    private String detail() {
        if (seen.stat().isEmpty()) {
            return recorded.filter(row -> !row.pending()).isPresent() ? "it was gone: written anew" : "written";
        }
        Stat there = seen.stat().get();
        if (there.isLink()) {
            return "replaces the symlink to " + seen.link() + ", which itself is left alone";
        }
        String what = size() < 0 ? "content replaced" : "content: " + there.size() + " -> " + size() + " bytes";
        String also = seen.differences().isEmpty() ? "" : ", " + String.join(", ", seen.differences());
        return what + also + (there.links() > 1 ? "; its other hard links keep the old content" : "");
    }

    private Change attributes(String want, String digest) {
        String what = String.join(", ", seen.differences());
        return of(Action.UPDATED, what, Diff.NONE, List.of(new FileSteps.Change(seen.path(), what)), want, digest);
    }

    private Change asDeclared(String want, String digest) {
        if (recorded.isEmpty()) {
            return of(
                    Action.UNCHANGED,
                    "was so already; kept from now on",
                    Diff.NONE,
                    List.of(new FileSteps.Note("note " + seen.path() + " as found")),
                    want,
                    digest);
        }
        Applied row = recorded.get();
        if (row.pending()) {
            // Written by an apply that was cut short before it could say so: what waits for it must hear of it.
            return of(
                    row.want().isEmpty() ? Action.CREATED : Action.UPDATED,
                    "finished what was interrupted",
                    Diff.NONE,
                    List.of(new FileSteps.Note("note " + seen.path() + " as written")),
                    want,
                    digest);
        }
        return row.want().equals(want)
                ? Change.unchanged(resource.id(), resource.type(), "as declared", row)
                : of(
                        Action.UNCHANGED,
                        "as declared",
                        Diff.NONE,
                        List.of(new FileSteps.Note("note what is declared of " + seen.path())),
                        want,
                        digest);
    }

    private Change of(Action action, String detail, Diff diff, List<Step> steps, String want, String digest) {
        Applied row = recorded.orElseGet(() -> Applied.first(
                resource.id(),
                resource.type(),
                resource.target(),
                Before.of(seen.stat(), seen.digest(), seen.link()).json()));
        PathNotes notes =
                PathNotes.read(row.notes(), facts.places()).with(seen.way().missing(), digest);
        List<Step> all = new ArrayList<>();
        recorded.filter(Applied::pending).ifPresent(interrupted -> all.add(new FileSteps.Sweep(seen.path())));
        all.addAll(steps);
        return Change.of(resource, action, detail, diff, all, row.withNotes(notes.json(facts.places())), want);
    }

    /** Bytes of a declared text; -1 where only the digest is known. */
    private long size() {
        return switch (resource.content()) {
            case Content.Text text -> text.text().getBytes(StandardCharsets.UTF_8).length;
            case Content.Fetched fetched -> -1;
        };
    }
}
