package io.meshhost.machine.services;

import io.meshhost.machine.Commands;
import io.meshhost.machine.Commands.Command;
import io.meshhost.machine.Commands.Result;
import io.meshhost.machine.Files;
import io.meshhost.machine.MachineFailure;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The machine's own systemd, spoken to by systemctl(1) as root.
 *
 * <p>Nothing here keeps state: each answer is systemd's own of that moment.
 */
public final class SystemdServices implements Services {
    /** A start may wait for a unit's own time-outs, 90 s each unless it says otherwise. */
    private static final Duration JOB = Duration.ofMinutes(10);
    /** Far below the 128 KiB that Linux allows one argument, and the 2 MiB for all. */
    private static final int CHUNK = 64 * 1024;

    private static final long UNIT_LIMIT = 1024 * 1024;

    private final Commands commands;
    private final Files files;
    private final Path unitDir;

    /** @param unitDir where units are written, on systemd's search path */
    public SystemdServices(Commands commands, Files files, Path unitDir) {
        this.commands = commands;
        this.files = files;
        this.unitDir = unitDir;
    }

    @Override
    public String name() {
        return "systemd";
    }

    @Override
    public boolean live() {
        return true;
    }

    @Override
    public List<UnitFile> files(ProcessSpec spec) {
        List<UnitFile> made = new ArrayList<>();
        made.add(new UnitFile(at(spec.name() + ".service"), UnitText.service(spec), false));
        spec.schedule()
                .ifPresent(schedule ->
                        made.add(new UnitFile(at(spec.name() + ".timer"), UnitText.timer(spec, schedule), false)));
        spec.secretFile().ifPresent(file -> made.add(new UnitFile(file, UnitText.secrets(spec.secrets()), true)));
        return List.copyOf(made);
    }

    /** The unit and the timer; where a secret file was, only the specification of its time knows. */
    @Override
    public List<Path> filesOf(String name) {
        return List.of(at(name + ".service"), at(name + ".timer"));
    }

    @Override
    public Map<String, ServiceState> states(Collection<String> units) {
        Map<String, ServiceState> states = new LinkedHashMap<>();
        List<String> chunk = new ArrayList<>();
        int size = 0;
        for (String unit : new LinkedHashSet<>(units)) {
            if (size + unit.length() > CHUNK) {
                states.putAll(ask(chunk));
                chunk.clear();
                size = 0;
            }
            chunk.add(unit);
            size += unit.length() + 1;
        }
        states.putAll(ask(chunk));
        return states;
    }

    private Map<String, ServiceState> ask(List<String> units) {
        if (units.isEmpty()) {
            return Map.of();
        }
        List<String> argv = new ArrayList<>(List.of("show", "--property=" + SystemdShow.PROPERTIES, "--"));
        argv.addAll(units);
        List<String> listing = new ArrayList<>(List.of("list-unit-files", "--no-legend", "--no-pager", "--full", "--"));
        listing.addAll(units);
        // Its status is that of a search: 1 where nothing is found.
        return SystemdShow.states(
                units, must("ask systemd", argv).out(), systemctl(listing).out());
    }

    @Override
    public Optional<Path> foreign(String name) {
        String path = must("ask systemd", List.of("show", "--property=UnitPath", "--value"))
                .out()
                .strip();
        return Stream.of(path.split(" ", -1))
                .filter(directory -> directory.startsWith("/"))
                .flatMap(directory -> Stream.of(name + ".service", name + ".timer")
                        .map(unit -> Path.of(directory).resolve(unit)))
                .filter(file -> files.stat(file).isPresent() && !ours(file))
                .findFirst();
    }

    /** A file with our header; a link by that name, even to such a file, is somebody's alias. */
    private boolean ours(Path file) {
        boolean readable = files.stat(file)
                .filter(stat -> stat.isFile() && stat.size() <= UNIT_LIMIT)
                .isPresent();
        return readable && UnitText.ours(new String(files.read(file, UNIT_LIMIT), StandardCharsets.UTF_8));
    }

    @Override
    public void reload() {
        must("reload systemd", List.of("daemon-reload"));
    }

    @Override
    public void start(String unit) {
        if (ourTimer(unit)) {
            startAfresh(unit);
        } else {
            must("start " + unit, List.of("start", "--", unit));
        }
    }

    @Override
    public void stop(String unit) {
        tolerant("stop " + unit, List.of("stop", "--", unit));
    }

    @Override
    public void restart(String unit) {
        if (ourTimer(unit)) {
            stop(unit);
            startAfresh(unit);
        } else {
            must("restart " + unit, List.of("restart", "--", unit));
        }
    }

    /**
     * With a stamp of an earlier life systemd would take what that one missed for missed by this one, and run
     * the process at once. While the timer is active its stamp cannot be removed, and a start does nothing.
     */
    private void startAfresh(String timer) {
        systemctl(List.of("clean", "--what=state", "--", timer));
        must("start " + timer, List.of("start", "--", timer));
    }

    private boolean ourTimer(String unit) {
        return unit.endsWith(".timer") && ours(at(unit));
    }

    /** Without the reload that systemctl would add: one each apply is enough, and links need none. */
    @Override
    public void enable(String unit) {
        must("enable " + unit, List.of("enable", "--no-reload", "--", unit));
    }

    @Override
    public void disable(String unit) {
        tolerant("disable " + unit, List.of("disable", "--no-reload", "--", unit));
        tolerant("disable " + unit, List.of("disable", "--runtime", "--no-reload", "--", unit));
        if (ourTimer(unit)) {
            systemctl(List.of("clean", "--what=state", "--", unit));
        }
    }

    @Override
    public void forget(String unit) {
        tolerant("forget the failures of " + unit, List.of("reset-failed", "--", unit));
    }

    @Override
    public List<String> misunderstood(ProcessSpec spec) {
        return new SystemdReadBack(commands).differences(spec);
    }

    @Override
    public StepResult runStep(ProcessSpec spec, Duration timeout) {
        return new SystemdStep(this, commands, files).run(spec, timeout);
    }

    @Override
    public List<String> lastLines(String unit) {
        return journal(List.of("--unit=" + unit));
    }

    /** The last 50 lines of the journal that match, once all that was printed so far has arrived there. */
    List<String> journal(List<String> matches) {
        commands.run(Command.of("journalctl", "--sync"));
        List<String> argv =
                new ArrayList<>(List.of("journalctl", "--quiet", "--no-pager", "--output=cat", "--lines=50"));
        argv.addAll(matches);
        Result result = commands.run(command(argv));
        return result.ok() ? last(result.out().lines().toList()) : List.of();
    }

    /** An entry of the journal may have several lines. */
    private static List<String> last(List<String> lines) {
        return List.copyOf(lines.subList(Math.max(0, lines.size() - 50), lines.size()));
    }

    Path at(String unit) {
        return unitDir.resolve(unit);
    }

    Result systemctl(List<String> arguments) {
        List<String> argv = new ArrayList<>(List.of("systemctl"));
        argv.addAll(arguments);
        return commands.run(command(argv).within(JOB));
    }

    private static Command command(List<String> argv) {
        return Command.of(argv.toArray(String[]::new));
    }

    private Result must(String what, List<String> arguments) {
        Result result = systemctl(arguments);
        if (!result.ok()) {
            throw failure(what, arguments.getLast(), result);
        }
        return result;
    }

    /** Where the unit is gone, or was never there, what was asked for is so. */
    private void tolerant(String what, List<String> arguments) {
        Result result = systemctl(arguments);
        boolean gone = Stream.of("not loaded", "does not exist", "not found")
                .anyMatch(words -> result.err().contains(words));
        if (!result.ok() && !gone) {
            throw failure(what, arguments.getLast(), result);
        }
    }

    /** systemctl's first line has the reason, its last one where to look. */
    private static MachineFailure failure(String what, String unit, Result result) {
        String reason = result.err()
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .findFirst()
                .map(line -> line.endsWith(".") ? line.substring(0, line.length() - 1) : line)
                .orElse(result.lastWords());
        String look = unit.contains(".") ? "see systemctl status " + unit : "see journalctl -b -u init.scope";
        return new MachineFailure("cannot " + what + ": " + reason + "; " + look);
    }
}
