package io.meshhost.launch;

import io.meshhost.machine.Files;
import io.meshhost.machine.Looks;
import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.Places;
import io.meshhost.machine.Stat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Reads what the state directory and {@code versions/} say; what is damaged in them is noted and never throws. */
final class Ledger implements AutoCloseable {
    private final StateDir state;
    private final Files files;
    private final Path versions;
    private final Path placed;
    private final Path script;
    private final Bytes bytes;
    private final Ahead ahead;
    private StateDir.Mark mark = new StateDir.Mark(Optional.empty(), false);

    /**
     * @param placed the host placed by hand
     */
    Ledger(Places places, Path placed, Files files) {
        this.state = new StateDir(places.stateDir(), files);
        this.files = files;
        this.versions = places.libexec().resolve("versions");
        this.placed = placed;
        this.script = places.libexec().resolve("rollback");
        this.bytes = new Bytes(state, files);
        this.ahead = new Ahead(places.stateDir(), versions, placed);
    }

    StateDir state() {
        return state;
    }

    Bytes bytes() {
        return bytes;
    }

    Path versions() {
        return versions;
    }

    Choosing choosing(int limit) {
        return new Choosing(versions, placed, limit);
    }

    /**
     * What it all says now; no file is opened when nothing has changed since {@link #readAhead}.
     *
     * @param failing what ran last
     */
    Scene scene(Optional<Ran> failing) {
        return ahead.scene().map(scene -> scene.withFailing(failing)).orElseGet(() -> read(failing));
    }

    /**
     * Reads it all while there is time, so that a successor need not wait for it. Empty where it would not stay true.
     *
     * @param failing as of {@link #scene}
     */
    Optional<Scene> readAhead(Optional<Ran> failing) {
        ahead.read(() -> read(Optional.empty()));
        return ahead.scene().map(scene -> scene.withFailing(failing));
    }

    /** Whether what was read ahead is so still. */
    boolean standsAhead() {
        return ahead.scene().isPresent();
    }

    /** What a host changes, as the scene of this turn has seen it. */
    StateDir.Mark mark() {
        return mark;
    }

    /** What was read ahead has not stood the test. */
    void readAnew() {
        ahead.drop();
    }

    private Scene read(Optional<Ran> failing) {
        mark = state.mark();
        List<String> notes = new ArrayList<>();
        Counter counter = counter();
        counter.complaint().ifPresent(notes::add);
        List<Named> rejected = rejected(notes);
        Map<String, Long> arrivals = arrivals(notes);
        return new Scene(
                halted(),
                counter.count(),
                state.seen(StateDir.ATTEMPTED),
                pin(notes),
                delivered(arrivals, rejected, notes),
                arrivals,
                rejected.stream().map(Named::name).distinct().toList(),
                knownGood(notes),
                Looks.executable(placed),
                Looks.executable(script),
                failing,
                name -> digest(name).orElse("unreadable: " + name),
                List.copyOf(notes));
    }

    /** Anything of that name halts, as the seed's {@code -e} has it; what it holds is the reason. */
    private Optional<String> halted() {
        return state.seen(StateDir.HALTED)
                ? state.text(StateDir.HALTED, new ArrayList<>())
                        .map(String::strip)
                        .or(() -> Optional.of(""))
                : Optional.empty();
    }

    private Counter counter() {
        List<String> unreadable = new ArrayList<>();
        Optional<String> text = state.text(StateDir.ATTEMPTS, unreadable);
        return unreadable.isEmpty() ? Counter.parse(text) : Counter.damaged("cannot be read");
    }

    Optional<Pin> pin(List<String> notes) {
        Optional<String> name = state.text(StateDir.PINNED, notes)
                .flatMap(text -> text.lines().findFirst())
                .map(line -> delivered(line) ? line : line.strip())
                .filter(line -> !line.isEmpty());
        if (name.isPresent() && !Version.possible(name.get())) {
            notes.add("rollback-pinned holds no version's name; ignoring the pin");
            return Optional.empty();
        }
        return name.map(version -> new Pin(version, state.seen(StateDir.BY_OPERATOR)));
    }

    /** Of a name with blanks around it the line is the name; of a line that a person wrote they may be stray. */
    private boolean delivered(String name) {
        return Version.possible(name) && Looks.executable(versions.resolve(name).resolve(Choosing.BINARY));
    }

    List<String> knownGood(List<String> notes) {
        return state.text(StateDir.KNOWN_GOOD, notes)
                .map(text -> text.lines().filter(Version::possible).toList())
                .orElse(List.of());
    }

    List<Named> rejected(List<String> notes) {
        Set<String> damaged = new HashSet<>();
        List<Named> lines = Named.parse(
                state.text(StateDir.REJECTED, notes),
                1,
                () -> damaged.add("rejected holds lines that cannot be read; they do not count"));
        notes.addAll(damaged);
        return lines;
    }

    Map<String, Long> arrivals(List<String> notes) {
        Set<String> damaged = new HashSet<>();
        Runnable complain = () -> damaged.add("arrivals holds lines that cannot be read; they do not count");
        Map<String, Long> numbers = new HashMap<>();
        for (Named line : Named.parse(state.text(StateDir.ARRIVALS, notes), 1, complain)) {
            String number = line.words().getFirst();
            if (number.matches("[0-9]{1,18}")) {
                numbers.merge(line.name(), Long.parseLong(number), Math::max);
            } else {
                complain.run();
            }
        }
        notes.addAll(damaged);
        return numbers;
    }

    private List<Version> delivered(Map<String, Long> arrivals, List<Named> rejected, List<String> notes) {
        List<Version> found = new ArrayList<>();
        for (Path directory : Looks.names(versions, notes)) {
            String name = directory.getFileName().toString();
            if (Version.possible(name) && Looks.executable(directory.resolve(Choosing.BINARY))) {
                stat(directory, notes)
                        .ifPresent(stat -> found.add(new Version(
                                name,
                                arrivals.containsKey(name) ? OptionalLong.of(arrivals.get(name)) : OptionalLong.empty(),
                                stat.modifiedNanos(),
                                rejects(rejected, name, notes))));
            }
        }
        found.sort(Version.NEWEST_FIRST);
        return List.copyOf(found);
    }

    /** Bytes are looked at only where something was ever rejected: the daily turn reads no tree. */
    private boolean rejects(List<Named> rejected, String name, List<String> notes) {
        if (rejected.isEmpty()) {
            return false;
        }
        Optional<String> digest = digest(name);
        if (digest.isEmpty()) {
            notes.add("version " + name + " cannot be read whole, so it is not known whether it is rejected");
            return rejected.stream().anyMatch(line -> line.name().equals(name));
        }
        return rejected.stream().anyMatch(line -> line.words().getFirst().equals(digest.get()));
    }

    private Optional<String> digest(String name) {
        try {
            return Optional.of(bytes.of(versions.resolve(name), name));
        } catch (MachineFailure unreadable) {
            return Optional.empty();
        }
    }

    private Optional<Stat> stat(Path directory, List<String> notes) {
        try {
            return files.stat(directory);
        } catch (MachineFailure failure) {
            notes.add(failure.sentence());
            return Optional.empty();
        }
    }

    /** Watches nothing any more. */
    @Override
    public void close() {
        ahead.close();
    }
}
