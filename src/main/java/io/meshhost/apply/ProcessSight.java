package io.meshhost.apply;

import io.meshhost.machine.services.ServiceState;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is seen of a process.
 *
 * @param verdict what the declaration comes to; for an undeclared process {@link Verdict.Nothing}
 * @param notes of the row
 * @param tree whether the unpacked bundle stands
 * @param missing entries of the notes that are not there any more, the first few
 * @param fresh whether an interrupted unpacking stands beside
 * @param aside whether an older bundle stands beside
 * @param secret whether the file of secrets stands
 * @param secretAside whether older secrets stand beside
 * @param unitTexts files of the name that are there, sensitive ones too, with what they say
 * @param resting a version that failed not long ago, while the one of the notes runs on
 * @param foreign a unit of that name that is not ours
 * @param adoptable the record is being rebuilt, and the declared bundle stands unpacked there, as the supervisor knows it
 */
record ProcessSight(
        Verdict verdict,
        Optional<ProcessNotes> notes,
        boolean tree,
        List<Path> missing,
        boolean fresh,
        boolean aside,
        boolean secret,
        boolean secretAside,
        Map<Path, String> unitTexts,
        ServiceState service,
        ServiceState timer,
        Optional<ProcessFailed> resting,
        Optional<Path> foreign,
        boolean adoptable) {

    /** What a declaration comes to. */
    sealed interface Verdict {
        /** It can be done. */
        record Wanted(ProcessWanted wanted) implements Verdict {}

        /** It cannot be done, and this is known before anything is touched. */
        record Impossible(String sentence) implements Verdict {}

        /** It is not for this machine. */
        record Elsewhere(String sentence) implements Verdict {}

        /** It is not declared. */
        record Nothing() implements Verdict {}
    }

    /** What stands there without being of any use: left by an apply that was cut off. */
    boolean leftovers() {
        return fresh || aside || secretAside;
    }

    /** Whether the tree under the name is of a version that was not proven yet, or is gone in mid-swap. */
    boolean onTrial() {
        return aside && !notes.map(ProcessNotes::dropAside).orElse(false);
    }

    ProcessSight adopting() {
        return new ProcessSight(
                verdict,
                notes,
                tree,
                missing,
                fresh,
                aside,
                secret,
                secretAside,
                unitTexts,
                service,
                timer,
                resting,
                foreign,
                true);
    }

    /** Unit texts may hold what nobody should read. */
    @Override
    public String toString() {
        return "ProcessSight[tree=" + tree + ", aside=" + aside + ", fresh=" + fresh + ", files=" + unitTexts.keySet()
                + "]";
    }
}
