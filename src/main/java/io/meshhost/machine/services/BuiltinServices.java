package io.meshhost.machine.services;

import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.services.BuiltinStore.Damaged;
import io.meshhost.machine.services.BuiltinStore.Installed;
import io.meshhost.machine.services.BuiltinStore.Understood;
import io.meshhost.machine.services.ServiceState.Active;
import io.meshhost.machine.services.ServiceState.Enabled;
import io.meshhost.machine.services.ServiceState.Load;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * The built-in supervisor as a one-shot command has it: it installs, and says how a running host's processes
 * stand; what is enabled starts with the host. Steps run at once, here.
 *
 * <p>A process is described by {@code STATE/processes/NAME.service.json}, and {@code NAME.timer.json} for a
 * schedule. Without a running host an enabled unit is said to be {@code activating (starts-with-host)}: it has
 * been given all that it can be given.
 */
public sealed class BuiltinServices implements Services permits BuiltinSupervisor {
    private static final Path PROC = Path.of("/proc");

    final BuiltinMeans means;
    final BuiltinPlaces places;
    final BuiltinStore store;
    final ProcessTable table = new ProcessTable(PROC);
    final BuiltinLauncher launcher;
    final Executor worker = task -> Thread.ofVirtual().name("supervisor").start(task);
    private final BuiltinSteps steps;

    public BuiltinServices(BuiltinMeans means) {
        this.means = means;
        this.places = BuiltinPlaces.of(means.places());
        this.store = new BuiltinStore(means.files(), places);
        this.launcher = new BuiltinLauncher(means.commands(), means.accounts().root(), table);
        this.steps = new BuiltinSteps(
                launcher, table, means.ticker(), worker, means.settings().stopTimeout());
    }

    @Override
    public final String name() {
        return "built-in";
    }

    @Override
    public boolean live() {
        return false;
    }

    /** A step has none: nothing of it is installed, and its secrets go to it directly. */
    @Override
    public final List<UnitFile> files(ProcessSpec spec) {
        if (spec.step()) {
            return List.of();
        }
        List<UnitFile> out = new ArrayList<>();
        out.add(new UnitFile(
                places.description(BuiltinPlaces.service(spec.name())), BuiltinDescription.service(spec), false));
        spec.schedule()
                .ifPresent(schedule -> out.add(new UnitFile(
                        places.description(BuiltinPlaces.timer(spec.name())),
                        BuiltinDescription.timer(spec, schedule),
                        false)));
        spec.secretFile()
                .filter(_ -> !spec.secrets().isEmpty())
                .ifPresent(file -> out.add(new UnitFile(file, EnvironmentFile.render(spec.secrets()), true)));
        return List.copyOf(out);
    }

    @Override
    public final List<Path> filesOf(String name) {
        return List.of(places.description(BuiltinPlaces.service(name)), places.description(BuiltinPlaces.timer(name)));
    }

    @Override
    public final Optional<Path> foreign(String name) {
        return Optional.empty();
    }

    @Override
    public Map<String, ServiceState> states(Collection<String> units) {
        if (units.isEmpty()) {
            return Map.of();
        }
        Optional<BuiltinStatus> host = host();
        Map<String, BuiltinStatus.Unit> running = new HashMap<>();
        host.ifPresent(status -> status.units().forEach(unit -> running.put(unit.unit(), unit)));
        return states(units, unit -> Optional.ofNullable(running.get(unit)).or(() -> resting(unit, host.isEmpty())));
    }

    private Optional<BuiltinStatus.Unit> resting(String unit, boolean noHost) {
        return noHost && store.enabled(unit)
                ? Optional.of(
                        new BuiltinStatus.Unit(unit, "", 0, 0, Active.ACTIVATING, "starts-with-host", "success", 0))
                : Optional.empty();
    }

    /**
     * @param now how a unit stands; empty: it is down
     */
    final Map<String, ServiceState> states(
            Collection<String> units, Function<String, Optional<BuiltinStatus.Unit>> now) {
        Map<String, Installed> installed = store.load();
        Map<String, ServiceState> out = new HashMap<>();
        for (String unit : units) {
            out.put(unit, state(unit, Optional.ofNullable(installed.get(BuiltinPlaces.nameOf(unit))), now.apply(unit)));
        }
        return out;
    }

    private ServiceState state(String unit, Optional<Installed> installed, Optional<BuiltinStatus.Unit> now) {
        Load load = installed.map(found -> load(unit, found)).orElse(Load.NOT_FOUND);
        if (load == Load.NOT_FOUND && now.isEmpty()) {
            return ServiceState.absent(unit);
        }
        boolean timer = BuiltinPlaces.isTimer(unit);
        boolean scheduled = installed
                .filter(found -> found instanceof Understood(ProcessSpec spec)
                        && spec.schedule().isPresent())
                .isPresent();
        return new ServiceState(
                unit,
                load,
                now.map(BuiltinStatus.Unit::active).orElse(Active.INACTIVE),
                now.map(BuiltinStatus.Unit::subState).orElse("dead"),
                load == Load.NOT_FOUND ? Enabled.NONE : enabled(unit, scheduled && !timer),
                now.map(BuiltinStatus.Unit::result).orElse("success"),
                timer ? "" : scheduled ? "oneshot" : "exec",
                false,
                now.map(BuiltinStatus.Unit::pid).orElse(0),
                now.map(BuiltinStatus.Unit::restarts).orElse(0),
                load == Load.NOT_FOUND ? Optional.empty() : Optional.of(places.description(unit)));
    }

    private static Load load(String unit, Installed installed) {
        return switch (installed) {
            case Damaged _ -> Load.BAD_SETTING;
            case Understood(ProcessSpec spec) ->
                BuiltinPlaces.isTimer(unit) && spec.schedule().isEmpty() ? Load.NOT_FOUND : Load.LOADED;
        };
    }

    private Enabled enabled(String unit, boolean ranByTimer) {
        if (ranByTimer) {
            return Enabled.STATIC;
        }
        return store.enabled(unit) ? Enabled.ENABLED : Enabled.DISABLED;
    }

    /** What was removed leaves no log, no stamp and no mark of being enabled. */
    @Override
    public void reload() {
        store.sweep(Set.of());
    }

    /** The host that runs over this state directory and is not this object. */
    final Optional<BuiltinStatus> host() {
        return store.running().flatMap(BuiltinStatus::parse).filter(status -> status.alive(table));
    }

    private void check(String verb, String unit) {
        host().ifPresent(status -> {
            throw new MachineFailure("cannot " + verb + " " + unit + ": the host with pid " + status.hostPid()
                    + " keeps it; apply its declaration through it, or stop it first");
        });
    }

    @Override
    public void start(String unit) {
        check("start", unit);
        spec(unit);
    }

    @Override
    public void stop(String unit) {
        check("stop", unit);
    }

    @Override
    public void restart(String unit) {
        start(unit);
    }

    @Override
    public final void enable(String unit) {
        // A service that its timer starts has nothing to be enabled, as a unit without [Install].
        if (spec(unit).schedule().isEmpty() || BuiltinPlaces.isTimer(unit)) {
            store.enable(unit);
        }
    }

    @Override
    public final void disable(String unit) {
        store.disable(unit);
    }

    @Override
    public void forget(String unit) {
        reload();
    }

    @Override
    public final List<String> misunderstood(ProcessSpec spec) {
        if (spec.step()) {
            return List.of();
        }
        List<String> out = new ArrayList<>();
        switch (Optional.ofNullable(store.load().get(spec.name()))
                .orElse(missing(BuiltinPlaces.service(spec.name())))) {
            case Damaged(MachineFailure why) -> out.add(why.sentence());
            case Understood(ProcessSpec stored) ->
                out.addAll(BuiltinDifferences.between(BuiltinDescription.visible(spec), stored));
        }
        spec.secretFile().filter(_ -> !spec.secrets().isEmpty()).ifPresent(file -> {
            if (!spec.secrets().equals(secrets(file))) {
                out.add("the secrets in " + file + " are not those declared");
            }
        });
        return List.copyOf(out);
    }

    private Map<String, String> secrets(Path file) {
        byte[] bytes = means.files().read(file, 1024 * 1024);
        return EnvironmentFile.parse(bytes, file);
    }

    @Override
    public final StepResult runStep(ProcessSpec spec, Duration timeout) {
        return steps.run(spec, timeout);
    }

    @Override
    public List<String> lastLines(String unit) {
        return log(BuiltinPlaces.nameOf(unit)).lastLines();
    }

    /**
     * What of the declared limits, sandbox and user cannot be held here, by the declaration's names for them:
     * they take control groups, name spaces, or root.
     */
    public final List<String> limitsNotEnforced(ProcessSpec spec) {
        return launcher.limitsNotEnforced(spec);
    }

    final ProcessLog log(String name) {
        return new ProcessLog(
                places.log(name), places.oldLog(name), means.settings().logCap());
    }

    /**
     * @throws MachineFailure when the unit is not installed, or damaged
     */
    final ProcessSpec spec(String unit) {
        Installed found = Optional.ofNullable(store.load().get(BuiltinPlaces.nameOf(unit)))
                .orElse(missing(unit));
        return switch (found) {
            case Damaged(MachineFailure why) -> throw new MachineFailure(why.sentence(), why);
            case Understood(ProcessSpec spec) -> {
                if (BuiltinPlaces.isTimer(unit) && spec.schedule().isEmpty()) {
                    throw new MachineFailure(absent(unit));
                }
                yield spec;
            }
        };
    }

    private static Installed missing(String unit) {
        return new Damaged(new MachineFailure(absent(unit)));
    }

    private static String absent(String unit) {
        return "cannot find " + unit + ": it is not installed; apply the declaration again";
    }
}
