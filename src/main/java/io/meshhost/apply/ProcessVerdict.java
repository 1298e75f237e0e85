package io.meshhost.apply;

import io.meshhost.apply.ProcessSight.Verdict;
import io.meshhost.bundle.Entry;
import io.meshhost.declaration.Resource.Bytes;
import io.meshhost.declaration.Resource.ProcessResource;
import io.meshhost.machine.ExpectedFailure;
import io.meshhost.machine.Stat;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/** Says what a declared process comes to, before its bundle is fetched; changes nothing and downloads nothing. */
record ProcessVerdict(ProcessDoors doors, Clock clock) {

    Verdict of(ProcessResource resource, Optional<ProcessNotes> notes) {
        try {
            return switch (resource.bytes()) {
                case Bytes.Unpublished none ->
                    new Verdict.Impossible("cannot run " + resource.name() + ": artifact "
                            + none.artifact() + " is not published; publish it, or give a file with --artifact "
                            + none.artifact() + "=PATH");
                case Bytes.OtherSystem other ->
                    new Verdict.Elsewhere("artifact " + other.artifact() + " is built for " + other.system());
                case Bytes.Given given -> given(resource, given.file(), notes);
                case Bytes.Published published -> published(resource, published, notes);
            };
        } catch (ExpectedFailure failure) {
            return new Verdict.Impossible(failure.sentence());
        }
    }

    private Verdict given(ProcessResource resource, Path file, Optional<ProcessNotes> notes) {
        return known(resource, doors.bundles().digest(file), Optional.of(file), notes);
    }

    private Verdict published(ProcessResource resource, Bytes.Published published, Optional<ProcessNotes> notes) {
        Optional<Path> local = localFile(published.source());
        boolean here =
                notes.filter(known -> known.sha256().equals(published.sha256())).isPresent()
                        || doors.bundles().stored(published.sha256()).isPresent();
        if (here || local.isEmpty()) {
            return known(resource, published.sha256(), Optional.empty(), notes);
        }
        String found = doors.bundles().digest(local.get());
        if (!found.equals(published.sha256())) {
            return new Verdict.Impossible("cannot run " + resource.name() + ": " + local.get() + " is sha256:" + found
                    + ", declared is sha256:" + published.sha256()
                    + "; declare the digest of what is there, or put the declared bundle there");
        }
        return known(resource, published.sha256(), local, notes);
    }

    private static Optional<Path> localFile(URI source) {
        return "file".equals(source.getScheme()) ? Optional.of(Path.of(source.getPath())) : Optional.empty();
    }

    /** The notes are asked first: listing a large archive at each reconcile would cost its whole unpacking. */
    private Verdict known(ProcessResource resource, String sha256, Optional<Path> local, Optional<ProcessNotes> notes) {
        ProcessWanting wanting = new ProcessWanting(resource, doors, clock);
        Optional<ProcessNotes> same = notes.filter(known -> known.sha256().equals(sha256));
        if (same.isPresent()) {
            return wanting.of(
                    sha256, Optional.of(same.get().entries()), same.get().size());
        }
        Optional<Path> blob = doors.bundles().stored(sha256).or(() -> local);
        Optional<List<Entry>> entries = blob.map(file -> doors.bundles().list(file, 0));
        long size = blob.flatMap(doors.files()::stat).map(Stat::size).orElse(-1L);
        return wanting.of(sha256, entries, size);
    }
}
