package io.meshhost.apply;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How a process as seen differs from the process as declared.
 *
 * @param first it was never finished once
 * @param pending an earlier apply was cut off or failed
 * @param bundle its tree has to be unpacked anew
 * @param how bundle or command, environment, limits and so on were declared otherwise
 * @param leftovers an interrupted change left something beside
 * @param damaged entries of its bundle are gone
 * @param different files that do not say what they should
 * @param surplus files of the name that it does not have
 * @param causes what changed that it must be restarted for
 * @param stopped why it does not run, in words
 * @param notEnabled it would not come up at boot
 */
record ProcessDrift(
        boolean first,
        boolean pending,
        boolean bundle,
        boolean how,
        boolean leftovers,
        boolean damaged,
        List<Path> different,
        List<Path> surplus,
        List<String> causes,
        Optional<String> stopped,
        boolean notEnabled) {

    /** Clauses for people; empty when it is as declared. */
    List<String> reasons() {
        List<String> reasons = new ArrayList<>();
        if (first) {
            reasons.add("new");
            return reasons;
        }
        if (how) {
            reasons.add(bundle && !damaged ? "new bundle" : "declared otherwise");
        }
        if (pending) {
            reasons.add("an earlier change was not finished");
        }
        if (leftovers) {
            reasons.add("an interrupted change left something beside");
        }
        if (damaged) {
            reasons.add("files of its bundle were gone");
        }
        files(reasons);
        if (notEnabled) {
            reasons.add("it was not enabled");
        }
        stopped.ifPresent(why -> reasons.add("it " + why));
        if (!causes.isEmpty()) {
            reasons.add("restarted because " + String.join(", ", causes) + " changed");
        }
        return reasons;
    }

    private void files(List<String> reasons) {
        if (!how && !different.isEmpty()) {
            reasons.add(names(different) + " did not say what it should");
        }
        if (!how && !surplus.isEmpty()) {
            reasons.add(names(surplus) + " does not belong to it");
        }
    }

    private static String names(List<Path> paths) {
        return String.join(
                ", ",
                paths.stream().map(path -> String.valueOf(path.getFileName())).toList());
    }
}
