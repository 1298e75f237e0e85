package io.meshhost.apply.testing;

import io.meshhost.machine.services.ProcessSpec;
import io.meshhost.machine.services.ServiceState;
import io.meshhost.machine.services.Services;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One supervisor with both: the machine's own units, installed by hand, and those that the host writes. */
public final class BothServices implements Services {
    private final FakeServices own;
    private final BoxServices written;
    /** Told before each reload; what it throws is the reload's failure. */
    public Runnable beforeReload = () -> {};

    public BothServices(FakeServices own, BoxServices written) {
        this.own = own;
        this.written = written;
    }

    private Services of(String unit) {
        return own.state(unit).exists() ? own : written;
    }

    @Override
    public String name() {
        return own.name();
    }

    @Override
    public boolean live() {
        return written.live();
    }

    @Override
    public List<UnitFile> files(ProcessSpec spec) {
        return written.files(spec);
    }

    @Override
    public List<Path> filesOf(String process) {
        return written.filesOf(process);
    }

    @Override
    public Map<String, ServiceState> states(Collection<String> units) {
        Map<String, ServiceState> states = new HashMap<>();
        units.forEach(unit -> states.putAll(of(unit).states(List.of(unit))));
        return states;
    }

    @Override
    public Optional<Path> foreign(String process) {
        return written.foreign(process);
    }

    @Override
    public void reload() {
        beforeReload.run();
        written.reload();
    }

    @Override
    public void start(String unit) {
        of(unit).start(unit);
    }

    @Override
    public void stop(String unit) {
        of(unit).stop(unit);
    }

    @Override
    public void restart(String unit) {
        of(unit).restart(unit);
    }

    @Override
    public void enable(String unit) {
        of(unit).enable(unit);
    }

    @Override
    public void disable(String unit) {
        of(unit).disable(unit);
    }

    @Override
    public void forget(String unit) {
        of(unit).forget(unit);
    }

    @Override
    public List<String> misunderstood(ProcessSpec spec) {
        return written.misunderstood(spec);
    }

    @Override
    public StepResult runStep(ProcessSpec spec, Duration timeout) {
        return written.runStep(spec, timeout);
    }

    @Override
    public List<String> lastLines(String unit) {
        return of(unit).lastLines(unit);
    }
}
