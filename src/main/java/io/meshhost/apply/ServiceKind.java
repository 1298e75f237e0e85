package io.meshhost.apply;

import com.fasterxml.jackson.databind.JsonNode;
import io.meshhost.declaration.Resource.ServiceResource;
import io.meshhost.machine.services.ServiceState;
import io.meshhost.machine.services.ServiceState.Enabled;
import io.meshhost.machine.services.ServiceState.Load;
import io.meshhost.record.Applied;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A unit of the machine's own: running or not, enabled or not.
 *
 * <p>What it was before is recorded before the first change. Undeclared, nothing is started on the way out, and
 * nothing that was found running is stopped (SPEC 2, "Service"): an uplink taken out of a declaration must not
 * take the machine offline.
 */
final class ServiceKind implements Kind<ServiceResource, ServiceState> {
    /** One word to systemctl(1). */
    record Call(Verb verb, String unit) implements Step {
        @Override
        public String sentence() {
            return verb.name().toLowerCase(Locale.ROOT) + " " + unit;
        }
    }

    enum Verb {
        START,
        STOP,
        RESTART,
        ENABLE,
        DISABLE
    }

    @Override
    public String type() {
        return "service";
    }

    @Override
    public boolean stages() {
        return false;
    }

    @Override
    public Set<String> units(ServiceResource resource) {
        return Set.of(resource.unit());
    }

    @Override
    public Set<String> units(Applied recorded) {
        return Set.of(recorded.target());
    }

    @Override
    public ServiceState observe(ServiceResource resource, Optional<Applied> recorded, Sight sight) {
        return sight.state(resource.unit());
    }

    @Override
    public Change plan(
            ServiceResource resource, ServiceState seen, Optional<Applied> recorded, Set<String> causes, Facts facts) {
        Optional<String> untouchable = untouchable(facts);
        if (untouchable.isPresent()) {
            return Change.skipped(resource.id(), resource.type(), untouchable.get(), recorded);
        }
        Optional<String> impossible = impossible(resource, seen);
        if (impossible.isPresent()) {
            return Change.failed(resource.id(), resource.type(), impossible.get(), recorded);
        }
        List<Step> steps = new ArrayList<>();
        List<String> said = new ArrayList<>();
        enabled(resource, seen, steps, said);
        running(resource, seen, causes, steps, said);
        return steps.isEmpty()
                ? asDeclared(resource, seen, recorded)
                : change(resource, Action.UPDATED, String.join(", ", said), steps, seen, recorded);
    }

    private static Optional<String> untouchable(Facts facts) {
        if (!facts.places().wholeMachine()) {
            return Optional.of("the machine's units are not touched under --root");
        }
        return facts.systemd() ? Optional.empty() : Optional.of("systemd is not running this machine");
    }

    private static Optional<String> impossible(ServiceResource resource, ServiceState seen) {
        String cannot = "cannot apply " + resource.unit() + ": ";
        boolean run = resource.running().orElse(false);
        if (!seen.exists()) {
            // Stopped and disabled is what a unit that does not exist already is.
            boolean wanted = run || resource.enabled().orElse(false);
            return wanted
                    ? Optional.of(cannot + "there is no such unit; install it, or take it out of the declaration")
                    : Optional.empty();
        }
        if (seen.load() == Load.MASKED && (run || resource.enabled().orElse(false))) {
            return Optional.of(cannot + "it is masked; systemctl unmask " + resource.unit() + " lifts that");
        }
        if (run && oneShot(seen)) {
            return Optional.of(cannot + "it is a one-shot that ends by itself, so it can never be kept running; add"
                    + " RemainAfterExit=yes to it, or leave state out");
        }
        if (resource.enabled().orElse(false)
                && !Enablement.settable(seen.enabled())
                && !Enablement.on(seen.enabled())) {
            return Optional.of(cannot + "it is " + Enablement.word(seen.enabled())
                    + ", which cannot be enabled; leave enabled out");
        }
        return Optional.empty();
    }

    /** Active only while it runs: found stopped at every turn, it would be started at every turn (systemd.service(5)). */
    private static boolean oneShot(ServiceState seen) {
        return seen.type().equals("oneshot") && !seen.remainsAfterExit();
    }

    private static void enabled(ServiceResource resource, ServiceState seen, List<Step> steps, List<String> said) {
        if (resource.enabled().isEmpty()) {
            return;
        }
        boolean wanted = resource.enabled().get();
        if (wanted && !Enablement.on(seen.enabled())) {
            steps.add(new Call(Verb.ENABLE, resource.unit()));
            said.add("enabled, was " + Enablement.word(seen.enabled()));
        } else if (!wanted && Enablement.anyLink(seen.enabled())) {
            steps.add(new Call(Verb.DISABLE, resource.unit()));
            said.add("disabled, was " + Enablement.word(seen.enabled()));
        }
    }

    private static void running(
            ServiceResource resource, ServiceState seen, Set<String> causes, List<Step> steps, List<String> said) {
        boolean run = resource.running().orElse(seen.running());
        if (run && !seen.running()) {
            steps.add(new Call(Verb.START, resource.unit()));
            said.add("started, was " + seen.subState());
        } else if (!run && seen.running()) {
            steps.add(new Call(Verb.STOP, resource.unit()));
            said.add("stopped, was " + seen.subState());
        } else if (run && !causes.isEmpty()) {
            steps.add(new Call(Verb.RESTART, resource.unit()));
            said.add("restarted because of "
                    + String.join(", ", causes.stream().sorted().toList()));
        }
    }

    private static Change asDeclared(ServiceResource resource, ServiceState seen, Optional<Applied> recorded) {
        if (recorded.filter(row -> !row.pending() && row.want().equals(want(resource)))
                .isPresent()) {
            return Change.unchanged(resource.id(), resource.type(), "as declared", recorded.get());
        }
        boolean interrupted = recorded.filter(Applied::pending).isPresent();
        String detail = interrupted
                ? "finished what was interrupted"
                : recorded.isPresent() ? "as declared" : "was so already; kept from now on";
        return change(resource, interrupted ? Action.UPDATED : Action.UNCHANGED, detail, List.of(), seen, recorded);
    }

    private static String want(ServiceResource resource) {
        return "running=" + resource.running().map(Object::toString).orElse("-") + " enabled="
                + resource.enabled().map(Object::toString).orElse("-");
    }

    private static Change change(
            ServiceResource resource,
            Action action,
            String detail,
            List<Step> steps,
            ServiceState seen,
            Optional<Applied> recorded) {
        String before = Json.object()
                .put("running", seen.running())
                .put("enabled", seen.enabled().name())
                .toString();
        Applied row =
                recorded.orElseGet(() -> Applied.first(resource.id(), resource.type(), resource.target(), before));
        return Change.of(
                resource,
                action,
                detail,
                Diff.NONE,
                steps,
                row.withNotes(Json.object().put("intent", want(resource)).toString()),
                want(resource));
    }

    @Override
    public Done carryOut(ServiceResource resource, Change change, Work work) {
        call(change, work);
        return new Done(change.detail(), "", "{}");
    }

    private static void call(Change change, Work work) {
        for (Step step : change.steps()) {
            Call call = (Call) step;
            switch (call.verb()) {
                case START -> work.services().start(call.unit());
                case STOP -> work.services().stop(call.unit());
                case RESTART -> work.services().restart(call.unit());
                case ENABLE -> work.services().enable(call.unit());
                case DISABLE -> work.services().disable(call.unit());
            }
        }
    }

    @Override
    public ServiceState observeUndeclared(Applied recorded, Sight sight) {
        return sight.state(recorded.target());
    }

    @Override
    public Change planUndeclare(Applied recorded, ServiceState seen, Facts facts) {
        Optional<String> untouchable = untouchable(facts);
        if (untouchable.isPresent()) {
            return Change.leaving(recorded, Action.SKIPPED, untouchable.get(), List.of());
        }
        if (!seen.exists()) {
            return Change.leaving(recorded, Action.FORGOTTEN, "the unit is gone", List.of());
        }
        JsonNode before = Json.read(recorded.before());
        if (!before.has("running") || !before.has("enabled")) {
            return Change.leaving(
                    recorded, Action.FORGOTTEN, "left as it is: what it was before is not recorded", List.of());
        }
        List<Step> steps = new ArrayList<>();
        List<String> said = new ArrayList<>();
        putBackEnabled(recorded, Enabled.valueOf(before.path("enabled").asText()), seen, steps, said);
        boolean ran = before.path("running").asBoolean();
        if (seen.running() && !ran && declared(recorded).startsWith("running=true ")) {
            steps.add(new Call(Verb.STOP, recorded.target()));
            said.add("stopped: the host had started it");
        } else if (!seen.running() && ran) {
            said.add("it ran before and stays stopped: nothing is started on the way out");
        }
        String detail = said.isEmpty() ? "is as it was before the host" : String.join("; ", said);
        return Change.leaving(recorded, steps.isEmpty() ? Action.FORGOTTEN : Action.RESTORED, detail, steps);
    }

    /** A row whose first apply was cut short knows only what was intended. */
    private static String declared(Applied row) {
        return row.want().isEmpty() ? Json.read(row.notes()).path("intent").asText() : row.want();
    }

    private static void putBackEnabled(
            Applied row, Enabled before, ServiceState seen, List<Step> steps, List<String> said) {
        boolean declared = !declared(row).endsWith("enabled=-");
        if (!declared || Enablement.anyLink(before) == Enablement.anyLink(seen.enabled())) {
            return;
        }
        steps.add(new Call(Enablement.anyLink(before) ? Verb.ENABLE : Verb.DISABLE, row.target()));
        said.add((Enablement.anyLink(before) ? "enabled" : "disabled") + " again");
    }

    @Override
    public Done undeclare(Applied recorded, Change change, Work work) {
        call(change, work);
        return new Done(change.detail(), "", recorded.notes());
    }
}
