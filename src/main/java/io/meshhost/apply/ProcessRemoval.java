package io.meshhost.apply;

import io.meshhost.machine.services.ServiceState;
import io.meshhost.machine.services.ServiceState.Active;
import io.meshhost.machine.services.ServiceState.Enabled;
import io.meshhost.machine.services.Services;
import io.meshhost.record.Applied;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Takes a process away that is no longer declared: stop, disable, delete, reload, reset-failed, each repeatable,
 * so that one that was cut off is simply done again.
 */
final class ProcessRemoval {
    private final Work work;

    ProcessRemoval(Work work) {
        this.work = work;
    }

    static Change plan(Applied recorded, ProcessSight seen, Facts facts) {
        ProcessHome home = new ProcessHome(facts.places(), recorded.target());
        if (!home.safe()) {
            // Whatever wrote it into the record, a name that can climb is not acted on.
            return Change.leaving(
                    recorded,
                    Action.FAILED,
                    "cannot take away " + recorded.target()
                            + ": it is no name of a process; correct the record, nothing was touched",
                    List.of());
        }
        List<Step> steps = steps(home, seen);
        return steps.isEmpty()
                ? Change.leaving(recorded, Action.FORGOTTEN, "no longer there", List.of())
                : Change.leaving(recorded, Action.REMOVED, sentence(seen), steps);
    }

    private static String sentence(ProcessSight seen) {
        return seen.foreign()
                .map(unit -> "its bundle removed; " + unit + " is somebody else's by now and stays")
                .orElse("stopped; its unit and its bundle removed");
    }

    private static List<Step> steps(ProcessHome home, ProcessSight seen) {
        List<Step> steps = new ArrayList<>();
        if (seen.foreign().isEmpty()) {
            steps.addAll(units(home, seen));
        }
        if (seen.secret()) {
            steps.add(new ProcessStep.Delete(home.secret()));
        }
        if (seen.secretAside()) {
            steps.add(new ProcessStep.Delete(home.secretAside()));
        }
        tree(seen.fresh(), home.fresh()).ifPresent(steps::add);
        tree(seen.aside(), home.aside()).ifPresent(steps::add);
        tree(seen.tree(), home.tree()).ifPresent(steps::add);
        return steps;
    }

    private static Optional<Step> tree(boolean there, Path path) {
        return there ? Optional.of(new ProcessStep.DeleteTree(path)) : Optional.empty();
    }

    private static List<Step> units(ProcessHome home, ProcessSight seen) {
        List<Path> files = seen.unitTexts().keySet().stream()
                .filter(path -> !path.equals(home.secret()))
                .toList();
        boolean timer = trace(seen.timer());
        boolean service = trace(seen.service());
        List<Step> steps = new ArrayList<>();
        if (files.isEmpty() && !timer && !service) {
            return steps;
        }
        // Both, always: a timer that only a link is left of is known to nobody but the file system.
        home.units().forEach(unit -> steps.add(new ProcessStep.Retire(unit)));
        files.forEach(path -> steps.add(new ProcessStep.Delete(path)));
        steps.add(new ProcessStep.Reload());
        home.units().forEach(unit -> steps.add(new ProcessStep.Forget(unit)));
        return steps;
    }

    /** Something the supervisor still knows, be it only that it has not yet been told that the file is gone. */
    private static boolean trace(ServiceState state) {
        return state.exists()
                || state.running()
                || state.active() == Active.FAILED
                || state.enabled() == Enabled.ENABLED
                || state.enabled() == Enabled.ENABLED_RUNTIME;
    }

    Done undeclare(Applied recorded, Change change) {
        new ProcessFiles(work, recorded.target()).sweep();
        for (Step step : change.steps()) {
            if (step instanceof ProcessStep.Taking own) {
                perform(own);
            }
        }
        work.files().sync();
        return new Done(change.detail(), "", recorded.notes());
    }

    private void perform(ProcessStep.Taking step) {
        Services services = work.services();
        switch (step) {
            case ProcessStep.Retire retire -> {
                services.stop(retire.unit());
                services.disable(retire.unit());
            }
            case ProcessStep.Delete delete -> work.files().delete(delete.path());
            case ProcessStep.Reload reload -> {
                work.files().sync();
                services.reload();
            }
            case ProcessStep.Forget forget -> services.forget(forget.unit());
            case ProcessStep.DeleteTree tree -> work.files().deleteTree(tree.path());
        }
    }
}
