package io.meshhost.apply;

import io.meshhost.machine.ExpectedFailure;
import io.meshhost.machine.services.Services;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Takes a failed change back: the old version serves again, or, where there is none, nothing of the new one
 * runs. The sentence says what failed and what became of it.
 */
final class ProcessUndo {
    private final Work work;
    private final Services services;
    private final ProcessHome home;
    private final Optional<ProcessNotes> old;
    private final ProcessWanted wanted;
    private final ProcessTouched touched;
    private final boolean sameVersion;
    private final List<String> troubles = new ArrayList<>();

    /** @param sameVersion nothing was declared otherwise: there is no other version to go back to */
    ProcessUndo(
            Work work,
            ProcessHome home,
            Optional<ProcessNotes> old,
            ProcessWanted wanted,
            ProcessTouched touched,
            boolean sameVersion) {
        this.work = work;
        this.services = work.services();
        this.home = home;
        this.old = old;
        this.wanted = wanted;
        this.touched = touched;
        this.sameVersion = sameVersion;
    }

    String after(ExpectedFailure failure) {
        // Before anything is stopped: what the old version prints while it is put back is not the reason.
        List<String> lines = lastLines();
        String become = become();
        String all = troubles.isEmpty() ? become : become + " (" + String.join("; ", troubles) + ")";
        return failure.sentence() + "; " + all + said(lines);
    }

    /** The last words of a program, after a sentence. */
    static String said(List<String> lines) {
        return lines.isEmpty() ? "" : "; it last said:\n" + String.join("\n", lines);
    }

    private List<String> lastLines() {
        if (wanted.form() == ProcessForm.STEP || !touched.hasDisturbed()) {
            return touched.lastLines();
        }
        try {
            return ProcessWords.withoutSecrets(services.lastLines(home.service()), wanted.spec());
        } catch (ExpectedFailure unknown) {
            return List.of();
        }
    }

    private String become() {
        if (touched.hasUnpacked() && !touched.hasSwapped()) {
            attempt(() -> work.files().deleteTree(home.fresh()));
        }
        if (old.isEmpty()) {
            return touched.hasDisturbed() ? endFirst() : takeFirst();
        }
        if (sameVersion && !touched.keptAside()) {
            return touched.hasDisturbed()
                    ? "it stays installed and is tried again by the next apply"
                    : "what was there was not touched";
        }
        return back(old.get());
    }

    /** What was started and failed stays for a look, but neither runs nor comes up at boot. */
    private String endFirst() {
        for (String unit : home.units()) {
            attempt(() -> services.stop(unit));
            attempt(() -> services.disable(unit));
        }
        String left = wanted.form() == ProcessForm.STEP
                ? home.tree() + " stays for a look"
                : "its unit (disabled) and " + home.tree() + " stay for a look";
        return "nothing of it runs; " + left;
    }

    /** Nothing ran yet, so nothing needs to stay. */
    private String takeFirst() {
        attempt(this::restoreFiles);
        if (touched.hasSwapped()) {
            attempt(() -> work.files().deleteTree(home.tree()));
        }
        attempt(() -> work.files().sync());
        return "nothing was started, and nothing of it stays";
    }

    private void restoreFiles() {
        boolean changed = new ProcessFiles(work, home.name()).restore(old);
        if (changed || touched.takeDirty()) {
            services.reload();
        }
    }

    private String back(ProcessNotes notes) {
        boolean moved = touched.keptAside();
        if (touched.hasDisturbed()) {
            endOtherForm(notes.form());
        }
        if (moved) {
            attempt(() -> new ProcessMend(work.files(), home).back());
        }
        attempt(this::restoreFiles);
        if (!moved && !touched.hasDisturbed()) {
            return "what was there before was not disturbed";
        }
        return runAgain(notes.form());
    }

    private void endOtherForm(ProcessForm was) {
        if (was != ProcessForm.SCHEDULE) {
            attempt(() -> services.stop(home.timer()));
            attempt(() -> services.disable(home.timer()));
        }
        if (was != ProcessForm.DAEMON && wanted.form() == ProcessForm.DAEMON) {
            attempt(() -> services.stop(home.service()));
            attempt(() -> services.disable(home.service()));
        }
    }

    private String runAgain(ProcessForm was) {
        if (was == ProcessForm.STEP) {
            return "the old files were put back";
        }
        String unit = was == ProcessForm.SCHEDULE ? home.timer() : home.service();
        try {
            services.enable(unit);
            if (!services.live()) {
                return "the old version was put back";
            }
            services.restart(unit);
            new ProcessProof(work, home, was).up();
            return was == ProcessForm.SCHEDULE
                    ? "the old version was put back and is scheduled again"
                    : "the old version was put back and runs again";
        } catch (ExpectedFailure failure) {
            return "the old version was put back, but does not run either: " + failure.sentence();
        }
    }

    /** The rest of the way back is gone whatever one part of it says; all of it is told. */
    private void attempt(Runnable part) {
        try {
            part.run();
        } catch (ExpectedFailure failure) {
            troubles.add(failure.sentence());
        }
    }
}
