package io.meshhost.apply;

import io.meshhost.bundle.Bundles;
import io.meshhost.declaration.Declaration;
import io.meshhost.declaration.Resource;
import io.meshhost.declaration.Resource.ArchiveResource;
import io.meshhost.declaration.Resource.Bytes;
import io.meshhost.declaration.Resource.Content;
import io.meshhost.declaration.Resource.DirectoryResource;
import io.meshhost.declaration.Resource.FileResource;
import io.meshhost.declaration.Resource.ProcessResource;
import io.meshhost.declaration.Resource.ServiceResource;
import io.meshhost.declaration.Resource.UserResource;
import io.meshhost.machine.ExpectedFailure;
import io.meshhost.record.Applied;
import io.meshhost.record.RecordStore;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes away the blobs that nothing speaks of any more, or the store would grow by every version for ever.
 *
 * <p>Only after an apply that changed something and in which nothing failed: what a failed one may still go back to, or
 * try again, stays. A manifest speaks for its slug only, so what the record says of the others counts, too.
 */
final class KeptBlobs {
    private static final Pattern DIGEST = Pattern.compile("(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])");

    private KeptBlobs() {}

    /** What is to be told where it could not be done; that is no failure of the apply. */
    static Optional<String> tidy(Declaration declaration, List<Outcome> outcomes, RecordStore record, Bundles bundles) {
        if (!changedAndWell(outcomes)) {
            return Optional.empty();
        }
        try {
            bundles.prune(of(declaration, record));
            return Optional.empty();
        } catch (ExpectedFailure failure) {
            return Optional.of("bundles of earlier versions are left: " + failure.sentence());
        }
    }

    private static boolean changedAndWell(List<Outcome> outcomes) {
        boolean changed = false;
        for (Outcome outcome : outcomes) {
            for (Action action : Action.values()) {
                changed |= action.changes() && outcome.action().equals(action.word());
            }
            if (outcome.action().equals(Action.FAILED.word())) {
                return false;
            }
        }
        return changed;
    }

    private static Set<String> of(Declaration declaration, RecordStore record) {
        Set<String> kept = new HashSet<>();
        declaration.resources().map(KeptBlobs::bytes).forEach(bytes -> {
            if (bytes.isPresent() && bytes.get() instanceof Bytes.Published published) {
                kept.add(published.sha256());
            }
        });
        for (Applied row : record.applied().values()) {
            Matcher digests = DIGEST.matcher(row.want() + " " + row.notes());
            while (digests.find()) {
                kept.add(digests.group());
            }
        }
        return kept;
    }

    private static Optional<Bytes> bytes(Resource resource) {
        return switch (resource) {
            case ArchiveResource archive -> Optional.of(archive.bytes());
            case ProcessResource process -> Optional.of(process.bytes());
            case FileResource file ->
                file.content() instanceof Content.Fetched fetched ? Optional.of(fetched.bytes()) : Optional.empty();
            case DirectoryResource directory -> Optional.empty();
            case UserResource user -> Optional.empty();
            case ServiceResource service -> Optional.empty();
        };
    }
}
