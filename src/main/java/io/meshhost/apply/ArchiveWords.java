package io.meshhost.apply;

import io.meshhost.record.Applied;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What is said of an archive. */
final class ArchiveWords {
    private ArchiveWords() {}

    /** What is to be done, or was. */
    static String detail(ArchiveSeen.Wanted seen, Optional<Applied> recorded, boolean same) {
        if (recorded.filter(Applied::pending).isPresent()) {
            return "unpacked anew: an earlier apply was interrupted";
        }
        if (seen.stat().isEmpty()) {
            return recorded.isPresent() ? "it was gone: unpacked anew" : "unpacked";
        }
        if (!same) {
            return recorded.isPresent() ? "replaced" : "unpacked into the directory that was there";
        }
        List<String> some = seen.touched().stream().limit(3).map(Path::toString).toList();
        return "mended: " + String.join(", ", some)
                + (seen.touched().size() > 3 ? " and " + (seen.touched().size() - 3) + " more" : "")
                + (seen.touched().size() == 1 ? " was changed" : " were changed");
    }

    static String removed(ArchiveSeen.Gone gone) {
        String kept = gone.others() ? "; what others added stays" : "";
        List<String> changed =
                gone.changed().stream().map(Path::toString).sorted().toList();
        String aside =
                changed.isEmpty() ? "" : "; changed since and kept as .mesh-removed: " + String.join(", ", changed);
        return "removed what was unpacked" + kept + aside;
    }

    /** What of others went over to the new tree. */
    static String carried(List<String> names) {
        if (names.isEmpty()) {
            return "";
        }
        String some = String.join(", ", names.stream().limit(5).toList());
        return "; kept what others added: " + some + (names.size() > 5 ? " and " + (names.size() - 5) + " more" : "");
    }
}
