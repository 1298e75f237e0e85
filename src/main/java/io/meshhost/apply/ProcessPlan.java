package io.meshhost.apply;

import io.meshhost.apply.ProcessSight.Verdict;
import io.meshhost.declaration.Resource.ProcessResource;
import io.meshhost.machine.services.ServiceState;
import io.meshhost.machine.services.ServiceState.Active;
import io.meshhost.machine.services.ServiceState.Enabled;
import io.meshhost.machine.services.Services.UnitFile;
import io.meshhost.record.Applied;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Decides what is to be done for one declared process; pure. */
final class ProcessPlan {
    private final ProcessResource resource;
    private final ProcessSight seen;
    private final Optional<Applied> recorded;
    private final Set<String> causes;
    private final Facts facts;
    private final ProcessHome home;

    ProcessPlan(
            ProcessResource resource, ProcessSight seen, Optional<Applied> recorded, Set<String> causes, Facts facts) {
        this.resource = resource;
        this.seen = seen;
        this.recorded = recorded;
        this.causes = causes;
        this.facts = facts;
        this.home = new ProcessHome(facts.places(), resource.name());
    }

    Change change() {
        return switch (seen.verdict()) {
            case Verdict.Impossible impossible -> failed(impossible.sentence());
            case Verdict.Elsewhere elsewhere ->
                Change.skipped(resource.id(), resource.type(), elsewhere.sentence(), recorded);
            case Verdict.Nothing nothing -> failed("cannot run " + resource.name() + ": it is not declared");
            case Verdict.Wanted wanted ->
                seen.foreign().isPresent() ? foreign(seen.foreign().get()) : wanted(wanted.wanted());
        };
    }

    private Change failed(String sentence) {
        return Change.failed(resource.id(), resource.type(), sentence, recorded);
    }

    private Change foreign(Path unit) {
        return failed(
                "cannot install " + resource.name() + ": " + unit
                        + " is a unit of that name that mesh-host did not write; give the process another name, or remove that unit");
    }

    private Change wanted(ProcessWanted wanted) {
        ProcessDrift drift = drift(wanted);
        if (seen.adoptable() && recorded.isEmpty() && asItWouldBe(wanted, drift)) {
            return adopt(wanted);
        }
        List<Step> steps = wanted.form() == ProcessForm.STEP ? step(wanted, drift) : kept(wanted, drift);
        List<String> why = drift.reasons();
        if (recorded.isPresent() && !recorded.get().pending() && why.isEmpty()) {
            return Change.unchanged(resource.id(), resource.type(), standing(wanted), recorded.get());
        }
        Optional<ProcessFailed> resting = resting(wanted);
        if (resting.isPresent()) {
            return failed(resting.get().sentence(resource.name()));
        }
        Action action = drift.first() ? Action.CREATED : Action.UPDATED;
        return Change.of(
                resource,
                action,
                ProcessWords.sentence(wanted, drift, seen, facts),
                () -> new ProcessDiff(wanted, seen, facts.places()).lines(drift),
                steps,
                recorded.orElseGet(() -> Applied.first(resource.id(), resource.type(), resource.target(), "{}")),
                wanted.want());
    }

    /** Whether installing it would end in what is there already: its files, its units, and how it is kept. */
    private boolean asItWouldBe(ProcessWanted wanted, ProcessDrift drift) {
        boolean units = drift.different().isEmpty() && drift.surplus().isEmpty();
        boolean kept = drift.stopped().isEmpty()
                && !drift.notEnabled()
                && drift.causes().isEmpty();
        return units && kept && otherForm(wanted, drift).isEmpty();
    }

    /** A step that stands there was run, as far as anybody can tell: running it again could do its work twice. */
    private Change adopt(ProcessWanted wanted) {
        return Change.of(
                resource,
                Action.UNCHANGED,
                ProcessWords.adopted(wanted, facts),
                Diff.NONE,
                List.of(new ProcessStep.Adopt(home.tree())),
                Applied.first(resource.id(), resource.type(), resource.target(), "{}"),
                wanted.want());
    }

    /** A try would interrupt the old version, which runs: nobody asked for it, and it failed not long ago. */
    private Optional<ProcessFailed> resting(ProcessWanted wanted) {
        boolean oldRuns = seen.notes()
                .map(ProcessNotes::form)
                .filter(form -> form != ProcessForm.STEP && main(form).running())
                .isPresent();
        return facts.unasked() && oldRuns && !seen.leftovers()
                ? seen.resting().filter(failed -> failed.want().equals(wanted.want()))
                : Optional.empty();
    }

    private ProcessDrift drift(ProcessWanted wanted) {
        boolean first = recorded.map(Applied::want).orElse("").isEmpty();
        boolean done = wanted.form() == ProcessForm.STEP
                && recorded.isPresent()
                && !recorded.get().pending();
        boolean how = !recorded.map(Applied::want).orElse("").equals(wanted.want());
        // A finished step is finished: what became of its folder afterwards does not make it run again.
        boolean look = !done || how;
        return new ProcessDrift(
                first,
                recorded.filter(Applied::pending).isPresent(),
                look && bundle(wanted),
                how,
                look && seen.leftovers(),
                seen.notes().isPresent()
                        && look
                        && (!seen.tree() || !seen.missing().isEmpty()),
                different(wanted),
                surplus(wanted),
                new ArrayList<>(causes).stream().sorted().toList(),
                facts.live() ? stopped(wanted) : Optional.empty(),
                notEnabled(wanted));
    }

    /** Whether the tree under the name has to be unpacked anew. */
    private boolean bundle(ProcessWanted wanted) {
        return seen.notes()
                        .map(notes -> !notes.sha256().equals(wanted.sha256()))
                        .orElse(true)
                || !seen.tree()
                || !seen.missing().isEmpty()
                || seen.onTrial();
    }

    private List<Path> different(ProcessWanted wanted) {
        return wanted.files().stream()
                .filter(file -> !file.content().equals(seen.unitTexts().get(file.path())))
                .map(UnitFile::path)
                .toList();
    }

    private List<Path> surplus(ProcessWanted wanted) {
        List<Path> kept = wanted.files().stream().map(UnitFile::path).toList();
        return seen.unitTexts().keySet().stream()
                .filter(path -> !kept.contains(path))
                // A step's secrets are a file too, and no unit of it is ever installed.
                .filter(path -> !wanted.spec().secretFile().equals(Optional.of(path)))
                .toList();
    }

    private ServiceState main(ProcessForm form) {
        return form == ProcessForm.SCHEDULE ? seen.timer() : seen.service();
    }

    /** Why it does not run though it should, in systemd's word. */
    private Optional<String> stopped(ProcessWanted wanted) {
        ServiceState state = main(wanted.form());
        if (wanted.form() == ProcessForm.STEP || state.running()) {
            return Optional.empty();
        }
        return Optional.of(state.active() == Active.FAILED ? "had failed (" + state.result() + ")" : "had stopped");
    }

    private boolean notEnabled(ProcessWanted wanted) {
        return wanted.form() != ProcessForm.STEP && main(wanted.form()).enabled() != Enabled.ENABLED;
    }

    private String standing(ProcessWanted wanted) {
        return ProcessWords.standing(wanted, seen, facts);
    }

    private List<Step> step(ProcessWanted wanted, ProcessDrift drift) {
        List<Step> steps = new ArrayList<>(bundleSteps(wanted, drift));
        steps.addAll(otherForm(wanted, drift));
        steps.add(new ProcessStep.Run(wanted.spec().timeout().orElseThrow()));
        return steps;
    }

    private List<Step> kept(ProcessWanted wanted, ProcessDrift drift) {
        List<Step> steps = new ArrayList<>(bundleSteps(wanted, drift));
        steps.addAll(otherForm(wanted, drift));
        drift.different().forEach(path -> steps.add(new ProcessStep.Write(path)));
        steps.add(new ProcessStep.Check());
        String unit = wanted.form() == ProcessForm.SCHEDULE ? home.timer() : home.service();
        steps.add(new ProcessStep.Enable(unit));
        if (facts.live()) {
            steps.addAll(starting(wanted, drift, unit));
        }
        return steps;
    }

    private List<Step> starting(ProcessWanted wanted, ProcessDrift drift, String unit) {
        boolean anew = drift.bundle()
                || drift.how()
                || !drift.different().isEmpty()
                || !drift.causes().isEmpty();
        List<Step> steps = new ArrayList<>();
        // After an interrupted change nobody knows what the running process was started from.
        steps.add(anew || drift.pending() ? new ProcessStep.Restart(unit) : new ProcessStep.Start(unit));
        steps.add(new ProcessStep.Prove(ProcessWords.proof(resource, wanted.form())));
        return steps;
    }

    private List<Step> bundleSteps(ProcessWanted wanted, ProcessDrift drift) {
        List<Step> steps = new ArrayList<>();
        if (drift.leftovers()) {
            steps.add(new ProcessStep.Mend());
        }
        if (drift.bundle()) {
            steps.add(new ProcessStep.Unpack(ProcessWords.shown(wanted), home.fresh()));
            if (wanted.form() == ProcessForm.SCHEDULE && seen.service().running()) {
                // A run in progress must not lose its files under its feet: it is ended first.
                steps.add(new ProcessStep.Halt(home.service()));
            }
            steps.add(new ProcessStep.Swap(home.tree()));
        }
        return steps;
    }

    /** Going from a daemon to a schedule or a step and back: what the other form needed ends and goes. */
    private List<Step> otherForm(ProcessWanted wanted, ProcessDrift drift) {
        List<Step> steps = new ArrayList<>();
        if (wanted.form() != ProcessForm.SCHEDULE
                && (present(home.timer(), drift) || seen.timer().running())) {
            steps.add(new ProcessStep.Retire(home.timer()));
        }
        boolean service = wanted.form() == ProcessForm.STEP
                ? present(home.service(), drift) || seen.service().running()
                : wanted.form() == ProcessForm.SCHEDULE && wasDaemon();
        if (service) {
            steps.add(new ProcessStep.Retire(home.service()));
        }
        drift.surplus().forEach(path -> steps.add(new ProcessStep.Delete(path)));
        if (drift.pending()) {
            // Files may have been written by an apply that was cut off before anybody read them again.
            steps.add(new ProcessStep.Reload());
        }
        return steps;
    }

    private boolean present(String unit, ProcessDrift drift) {
        return drift.surplus().stream().anyMatch(path -> path.endsWith(unit));
    }

    private boolean wasDaemon() {
        boolean kept =
                seen.notes().map(notes -> notes.form() == ProcessForm.DAEMON).orElse(false);
        return seen.service().enabled() == Enabled.ENABLED
                || (kept && seen.service().running());
    }
}
