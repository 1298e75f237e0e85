package io.meshhost.apply.testing;

import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.services.ProcessSpec;
import io.meshhost.machine.services.ServiceState;
import io.meshhost.machine.services.ServiceState.Active;
import io.meshhost.machine.services.ServiceState.Enabled;
import io.meshhost.machine.services.ServiceState.Load;
import io.meshhost.machine.services.Services;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Units in memory that do as they are told, and write down what they were told. */
public final class FakeServices implements Services {
    private final Map<String, ServiceState> units = new TreeMap<>();
    private final List<String> told = new ArrayList<>();
    private final String name;

    /** Told before each call that changes a unit: a test cuts the power there. */
    public Runnable before = () -> {};

    /**
     * @param name "systemd" or "built-in"
     */
    public FakeServices(String name) {
        this.name = name;
    }

    /** A unit of the machine's own. */
    public void install(String unit, boolean running, Enabled enabled, String type) {
        units.put(
                unit,
                new ServiceState(
                        unit,
                        Load.LOADED,
                        running ? Active.ACTIVE : Active.INACTIVE,
                        running ? "running" : "dead",
                        enabled,
                        "success",
                        type,
                        false,
                        running ? 42 : 0,
                        0,
                        Optional.empty()));
    }

    public void uninstall(String unit) {
        units.remove(unit);
    }

    /** Everything that changed a unit, in order. */
    public List<String> told() {
        return List.copyOf(told);
    }

    public ServiceState state(String unit) {
        return units.getOrDefault(unit, ServiceState.absent(unit));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean live() {
        return true;
    }

    @Override
    public List<UnitFile> files(ProcessSpec spec) {
        return List.of();
    }

    @Override
    public List<Path> filesOf(String process) {
        return List.of();
    }

    @Override
    public Map<String, ServiceState> states(Collection<String> asked) {
        Map<String, ServiceState> states = new HashMap<>();
        asked.forEach(unit -> states.put(unit, state(unit)));
        return states;
    }

    @Override
    public Optional<Path> foreign(String process) {
        return Optional.empty();
    }

    @Override
    public void reload() {
        told.add("reload");
    }

    @Override
    public void start(String unit) {
        tell("start", unit);
        ServiceState now = state(unit);
        // A one-shot without RemainAfterExit is over as soon as it was started (systemd.service(5)).
        run(unit, !now.type().equals("oneshot"), now.enabled());
    }

    @Override
    public void stop(String unit) {
        tell("stop", unit);
        run(unit, false, state(unit).enabled());
    }

    @Override
    public void restart(String unit) {
        tell("restart", unit);
        run(unit, true, state(unit).enabled());
    }

    @Override
    public void enable(String unit) {
        tell("enable", unit);
        run(unit, state(unit).running(), Enabled.ENABLED);
    }

    @Override
    public void disable(String unit) {
        tell("disable", unit);
        run(unit, state(unit).running(), Enabled.DISABLED);
    }

    @Override
    public void forget(String unit) {
        tell("forget", unit);
    }

    private void tell(String verb, String unit) {
        before.run();
        if (!units.containsKey(unit)) {
            throw new MachineFailure("cannot " + verb + " " + unit + ": Unit " + unit + " not found.");
        }
        told.add(verb + " " + unit);
    }

    private void run(String unit, boolean running, Enabled enabled) {
        install(unit, running, enabled, state(unit).type());
    }

    @Override
    public List<String> misunderstood(ProcessSpec spec) {
        return List.of();
    }

    @Override
    public StepResult runStep(ProcessSpec spec, Duration timeout) {
        return new StepResult(0, false, List.of());
    }

    @Override
    public List<String> lastLines(String unit) {
        return List.of();
    }
}
