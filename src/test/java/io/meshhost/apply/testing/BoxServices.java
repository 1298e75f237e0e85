package io.meshhost.apply.testing;

import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.services.ProcessSpec;
import io.meshhost.machine.services.ServiceState;
import io.meshhost.machine.services.ServiceState.Active;
import io.meshhost.machine.services.ServiceState.Enabled;
import io.meshhost.machine.services.ServiceState.Load;
import io.meshhost.machine.services.Services;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A supervisor in memory that reads real unit files from a real folder, and outlives the host's power cuts.
 *
 * <p>What a process does is decided by the file {@code version} of its bundle: {@code v…} works, {@code crash…}
 * ends soon after its start, {@code broken…} cannot be started, {@code fail…} as a step ends with 3.
 */
public final class BoxServices implements Services {
    private static final String HEADER = "# written by the host\n";

    private final Path units;
    private final Map<String, String> loaded = new LinkedHashMap<>();
    private final Set<String> enabled = new LinkedHashSet<>();
    private final Map<String, String> running = new LinkedHashMap<>();
    private final Map<String, String> failed = new LinkedHashMap<>();
    private final Map<String, Integer> pids = new LinkedHashMap<>();
    private int nextPid = 100;

    public final List<String> calls = new ArrayList<>();
    public final List<String> stepRuns = new ArrayList<>();
    public boolean live = true;
    public boolean systemd = true;
    /** Told before each call that changes something: a test cuts the power there. */
    public Runnable before = () -> {};

    public BoxServices(Path units) {
        this.units = units;
    }

    @Override
    public String name() {
        return systemd ? "systemd" : "built-in";
    }

    @Override
    public boolean live() {
        return live;
    }

    @Override
    public List<UnitFile> files(ProcessSpec spec) {
        List<UnitFile> files = new ArrayList<>();
        StringBuilder text = new StringBuilder(HEADER);
        text.append("dir ").append(spec.directory()).append('\n');
        spec.argv().forEach(word -> text.append("run ").append(word).append('\n'));
        spec.environment().forEach((name, value) -> text.append(name + "=" + value + "\n"));
        spec.secretFile().ifPresent(file -> text.append("secrets ").append(file).append('\n'));
        spec.user().ifPresent(user -> text.append("user ").append(user).append('\n'));
        files.add(new UnitFile(unit(spec.name() + ".service"), text.toString(), false));
        spec.schedule()
                .ifPresent(schedule -> files.add(new UnitFile(
                        unit(spec.name() + ".timer"),
                        HEADER + "at " + schedule.cron().text() + "\n",
                        false)));
        spec.secretFile().ifPresent(file -> files.add(new UnitFile(file, spec.secrets() + "\n", true)));
        return files;
    }

    private Path unit(String unit) {
        return units.resolve(unit);
    }

    @Override
    public List<Path> filesOf(String name) {
        return List.of(unit(name + ".service"), unit(name + ".timer"));
    }

    @Override
    public Map<String, ServiceState> states(Collection<String> names) {
        Map<String, ServiceState> states = new LinkedHashMap<>();
        names.forEach(name -> states.put(name, state(name)));
        return states;
    }

    public ServiceState state(String unit) {
        boolean known = loaded.containsKey(unit);
        if (!known && !running.containsKey(unit) && !failed.containsKey(unit) && !enabled.contains(unit)) {
            return ServiceState.absent(unit);
        }
        Active active =
                running.containsKey(unit) ? Active.ACTIVE : failed.containsKey(unit) ? Active.FAILED : Active.INACTIVE;
        return new ServiceState(
                unit,
                known ? Load.LOADED : Load.NOT_FOUND,
                active,
                active == Active.ACTIVE ? "running" : "dead",
                enabled.contains(unit) ? Enabled.ENABLED : Enabled.DISABLED,
                failed.getOrDefault(unit, "success"),
                "exec",
                false,
                pids.getOrDefault(unit, 0),
                0,
                Optional.of(unit(unit)));
    }

    @Override
    public Optional<Path> foreign(String name) {
        return filesOf(name).stream()
                .filter(Files::exists)
                .filter(path -> !read(path).startsWith(HEADER))
                .findFirst();
    }

    @Override
    public void reload() {
        before.run();
        calls.add("reload");
        loaded.clear();
        try (var all = Files.newDirectoryStream(units)) {
            for (Path path : all) {
                String name = String.valueOf(path.getFileName());
                if (name.endsWith(".service") || name.endsWith(".timer")) {
                    loaded.put(name, read(path));
                }
            }
        } catch (java.nio.file.NoSuchFileException none) {
            return;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Override
    public void start(String unit) {
        before.run();
        calls.add("start " + unit);
        if (!running.containsKey(unit)) {
            begin(unit);
        }
    }

    private void begin(String unit) {
        String text = loaded.get(unit);
        if (text == null) {
            throw new MachineFailure("cannot start " + unit + ": Unit " + unit + " not found.");
        }
        String version = unit.endsWith(".timer") ? "v" : version(text);
        if (version.startsWith("broken")) {
            failed.put(unit, "exit-code");
            throw new MachineFailure("cannot start " + unit + ": it is " + version);
        }
        if (version.startsWith("crash")) {
            failed.put(unit, "exit-code");
            return;
        }
        failed.remove(unit);
        running.put(unit, text + "\nversion " + version);
        pids.put(unit, nextPid++);
    }

    private String version(String text) {
        Path tree = Path.of(text.lines()
                .filter(line -> line.startsWith("dir "))
                .findFirst()
                .orElseThrow()
                .substring(4));
        Path file = tree.resolve("version");
        return Files.exists(file) ? read(file) : "broken: its directory is not there";
    }

    @Override
    public void stop(String unit) {
        before.run();
        calls.add("stop " + unit);
        running.remove(unit);
        pids.remove(unit);
    }

    @Override
    public void restart(String unit) {
        before.run();
        calls.add("restart " + unit);
        running.remove(unit);
        pids.remove(unit);
        begin(unit);
    }

    @Override
    public void enable(String unit) {
        before.run();
        calls.add("enable " + unit);
        enabled.add(unit);
    }

    @Override
    public void disable(String unit) {
        before.run();
        calls.add("disable " + unit);
        enabled.remove(unit);
    }

    @Override
    public void forget(String unit) {
        before.run();
        calls.add("forget " + unit);
        failed.remove(unit);
    }

    @Override
    public List<String> misunderstood(ProcessSpec spec) {
        return spec.environment().containsKey("MISREAD") ? List.of("MISREAD was dropped") : List.of();
    }

    @Override
    public StepResult runStep(ProcessSpec spec, Duration timeout) {
        before.run();
        String version = version("dir " + spec.directory());
        stepRuns.add(spec.name() + " " + version + " within " + timeout.toSeconds());
        if (version.startsWith("slow")) {
            return new StepResult(143, true, List.of("still at it"));
        }
        boolean fails = version.startsWith("fail");
        return new StepResult(fails ? 3 : 0, false, List.of(fails ? "no table users" : "all tables made"));
    }

    @Override
    public List<String> lastLines(String unit) {
        return List.of("last words of " + unit);
    }

    // ---- what tests do and see ----

    /** The version that a unit runs, and with what. */
    public Optional<String> running(String unit) {
        return Optional.ofNullable(running.get(unit));
    }

    public Set<String> running() {
        return running.keySet();
    }

    public Set<String> enabled() {
        return enabled;
    }

    public Set<String> failed() {
        return failed.keySet();
    }

    /** It ends by itself and is not started again. */
    public void die(String unit, String result) {
        running.remove(unit);
        pids.remove(unit);
        if (!result.equals("success")) {
            failed.put(unit, result);
        }
    }

    /** A boot: all that is enabled is started from what is on the disk. */
    public void boot() {
        running.clear();
        pids.clear();
        failed.clear();
        reload();
        for (String unit : List.copyOf(enabled)) {
            try {
                begin(unit);
            } catch (MachineFailure notNow) {
                failed.put(unit, "exit-code");
            }
        }
    }

    private static String read(Path path) {
        try {
            return Files.readString(path);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
