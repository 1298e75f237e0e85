package io.meshhost.apply;

import io.meshhost.apply.ProcessSight.Verdict;
import io.meshhost.bundle.Bundles.Owner;
import io.meshhost.bundle.Entry;
import io.meshhost.declaration.Resource.Bytes;
import io.meshhost.declaration.Resource.ProcessResource;
import io.meshhost.machine.ExpectedFailure;
import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.Stat;
import io.meshhost.machine.services.Services;
import io.meshhost.machine.services.Services.StepResult;
import io.meshhost.machine.services.Services.UnitFile;
import io.meshhost.record.Applied;
import io.meshhost.record.RecordStore.Beginning;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Carries the steps of one process out, and undoes them when the new version does not work. Used once. */
final class ProcessCarry {
    private final ProcessResource resource;
    private final Change change;
    private final Work work;
    private final Clock clock;
    private final ProcessHome home;
    private final Optional<ProcessNotes> old;
    private final ProcessFiles files;
    private final ProcessMend trees;
    private final ProcessTouched touched = new ProcessTouched();

    private ProcessWanted wanted;
    private String learned = "";

    ProcessCarry(ProcessResource resource, Change change, Work work, Clock clock) {
        this.resource = resource;
        this.change = change;
        this.work = work;
        this.clock = clock;
        this.home = new ProcessHome(work.places(), resource.name());
        this.old = change.recorded().flatMap(ProcessNotes::read);
        this.files = new ProcessFiles(work, resource.name());
        this.trees = new ProcessMend(work.files(), home);
        this.wanted = must(new ProcessVerdict(ProcessDoors.of(work), clock).of(resource, old));
    }

    Done carryOut() {
        files.sweep();
        try {
            for (Step step : change.steps()) {
                if (step instanceof ProcessStep own) {
                    perform(own);
                }
            }
        } catch (ExpectedFailure failure) {
            String sentence = undo().after(failure);
            remember();
            throw new MachineFailure(sentence, failure);
        }
        if (touched.cutShort()) {
            // Neither well nor unwell: what is aside stays aside, and the next apply begins from the old version.
            throw new MachineFailure("cannot say whether " + resource.name()
                    + " works: the host was asked to stop while it waited; the next apply looks again");
        }
        return settle();
    }

    /** That this version failed, so that the old one is not interrupted for it at every reconcile. */
    private void remember() {
        String want = change.recorded().map(Applied::want).orElse("");
        if (old.isEmpty() || want.equals(change.want()) || !touched.hasDisturbed()) {
            return;
        }
        ProcessFailed failed = ProcessFailed.again(old.get().failed(), change.want(), clock.instant());
        try {
            journal(old.get().withFailed(failed), want);
        } catch (ExpectedFailure unwritten) {
            // Only the pause is lost: the next reconcile tries again.
            return;
        }
    }

    private ProcessUndo undo() {
        boolean same = change.recorded().map(Applied::want).orElse("").equals(change.want());
        return new ProcessUndo(work, home, old, wanted, touched, same);
    }

    private void perform(ProcessStep step) {
        Services services = work.services();
        switch (step) {
            case ProcessStep.Adopt adopt -> {}
            case ProcessStep.Mend mend -> trees.mend(old);
            case ProcessStep.Unpack unpack -> unpack();
            case ProcessStep.Swap swap -> swap();
            case ProcessStep.Retire retire -> retire(retire.unit());
            case ProcessStep.Halt halt -> services.stop(halt.unit());
            case ProcessStep.Write write -> write(write.path());
            case ProcessStep.Delete delete -> delete(delete.path());
            case ProcessStep.Check check -> check();
            case ProcessStep.Enable enable -> services.enable(enable.unit());
            case ProcessStep.Start start -> started(() -> services.start(start.unit()));
            case ProcessStep.Restart restart -> started(() -> services.restart(restart.unit()));
            case ProcessStep.Prove prove -> prove();
            case ProcessStep.Run run -> run(run.timeout());
            case ProcessStep.Reload reload -> reload();
            case ProcessStep.Forget forget -> services.forget(forget.unit());
            case ProcessStep.DeleteTree tree -> work.files().deleteTree(tree.path());
        }
    }

    private void unpack() {
        // A tree that an earlier try left is of unknown worth: it may be half of another bundle.
        work.files().deleteTree(home.fresh());
        Path blob = work.bundles().fetch(source(), wanted.sha256(), work.progress());
        files.parents(home.fresh());
        List<Entry> entries = work.bundles().unpack(blob, 0, home.fresh(), owner(), work.progress());
        touched.unpacked();
        long size = work.files().stat(blob).map(Stat::size).orElse(0L);
        // What the bundle holds is known for sure only now, and with it what run[0] means.
        wanted = must(new ProcessWanting(resource, ProcessDoors.of(work), clock)
                .of(wanted.sha256(), Optional.of(entries), size));
    }

    private URI source() {
        return switch (resource.bytes()) {
            case Bytes.Published published -> published.source();
            case Bytes.Given given -> given.file().toUri();
            case Bytes.Unpublished none -> throw new IllegalStateException("planned as failed: " + none);
            case Bytes.OtherSystem other -> throw new IllegalStateException("planned as skipped: " + other);
        };
    }

    private Owner owner() {
        var accounts = work.accounts();
        Optional<String> user = wanted.spec().user();
        if (user.isEmpty()) {
            return new Owner(accounts.ownUid(), accounts.ownGid());
        }
        int uid = accounts.uid(user.get())
                .orElseThrow(() -> new MachineFailure("cannot run " + resource.name() + " as " + user.get()
                        + ": there is no such user; declare it, and name it in after"));
        // A number that no line of passwd has, has no group either; the host's own is nobody else's.
        return new Owner(uid, accounts.primaryGid(user.get()).orElse(accounts.ownGid()));
    }

    private void swap() {
        if (old.isPresent() && old.get().dropAside()) {
            // From here on what stands aside is worth keeping again, and the record must say so first.
            journal(
                    old.get().withDropAside(false),
                    change.recorded().orElseThrow().want());
        }
        // The same bundle again replaces a damaged copy of itself: there is nothing better to go back to.
        boolean other =
                old.filter(notes -> !notes.sha256().equals(wanted.sha256())).isPresent();
        touched.swapped(other && work.files().stat(home.tree()).isPresent());
        trees.swap(other);
    }

    private void retire(String unit) {
        touched.disturbed();
        work.services().stop(unit);
        work.services().disable(unit);
    }

    private void write(Path path) {
        List<UnitFile> one =
                wanted.files().stream().filter(file -> file.path().equals(path)).toList();
        if (files.install(one)) {
            touched.dirty();
        }
    }

    private void delete(Path path) {
        files.delete(path);
        touched.dirty();
    }

    /** What was written is read back as the supervisor understood it: a difference is a failure, not a hope. */
    private void check() {
        // The bundle may have decided otherwise than the plan what run[0] is: the unit follows the bundle.
        if (files.install(wanted.files())) {
            touched.dirty();
        }
        reloadIfDirty();
        List<String> differences = work.services().misunderstood(wanted.spec());
        if (!differences.isEmpty()) {
            throw new MachineFailure(
                    "cannot install " + resource.name() + ": " + work.services().name()
                            + " understood its unit otherwise than it was meant: " + String.join("; ", differences));
        }
    }

    private void reloadIfDirty() {
        if (touched.takeDirty()) {
            work.files().sync();
            work.services().reload();
        }
    }

    private void reload() {
        touched.dirty();
        reloadIfDirty();
    }

    private void started(Runnable start) {
        touched.disturbed();
        start.run();
    }

    private void prove() {
        ProcessProof proof = new ProcessProof(work, wanted);
        if (proof.prove(resource.health()) == ProcessProof.Result.CUT_SHORT) {
            touched.cut();
        }
    }

    private void run(Duration timeout) {
        reloadIfDirty();
        // The supervisor writes the secrets of a step for as long as it runs, into a folder that only root enters.
        wanted.spec().secretFile().ifPresent(files::parents);
        touched.disturbed();
        StepResult result = LongWork.during(
                work,
                "running the step " + resource.name(),
                timeout,
                () -> work.services().runStep(wanted.spec(), timeout));
        if (!result.ok()) {
            String how = result.timedOut()
                    ? "it had not ended after " + timeout.toSeconds() + " s"
                    : "it ended with status " + result.status();
            touched.said(ProcessWords.withoutSecrets(result.lastLines(), wanted.spec()));
            throw new MachineFailure("the step " + resource.name() + " did not complete: " + how);
        }
        learned = "step completed" + ProcessUndo.said(ProcessWords.withoutSecrets(result.lastLines(), wanted.spec()));
    }

    /** The point of no return is the journal's transaction; what follows it only tidies. */
    private Done settle() {
        List<Entry> entries = wanted.entries().orElse(List.of());
        ProcessNotes notes = ProcessNotes.of(wanted, entries, wanted.size(), false);
        if (touched.keptAside()) {
            journal(notes.withDropAside(true), change.want());
            trees.drop();
        }
        files.settle();
        work.files().sync();
        return new Done(detail(entries), "", notes.json());
    }

    private String detail(List<Entry> entries) {
        String count = ProcessWords.count(entries);
        boolean counted = entries.isEmpty() || change.detail().startsWith(count + ",");
        String detail = counted ? change.detail() : count + ", " + change.detail();
        return learned.isEmpty() ? detail : detail + ", " + learned;
    }

    private void journal(ProcessNotes notes, String want) {
        Applied row = change.recorded().orElseThrow().pendingAgain();
        Applied journaled = row.applied(want, "", notes.json()).pendingAgain();
        work.record().begin(List.of(new Beginning(journaled, Optional.empty())));
    }

    private static ProcessWanted must(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Wanted found -> found.wanted();
            case Verdict.Impossible impossible -> throw new MachineFailure(impossible.sentence());
            case Verdict.Elsewhere elsewhere -> throw new MachineFailure(elsewhere.sentence());
            case Verdict.Nothing nothing -> throw new IllegalStateException("nothing is declared");
        };
    }
}
