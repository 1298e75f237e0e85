package io.meshhost.launch;

import io.meshhost.machine.Files;
import io.meshhost.machine.LockFile;
import io.meshhost.machine.Looks;
import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.Places;
import io.meshhost.machine.Stat;
import io.meshhost.machine.Ticker;
import io.meshhost.machine.services.ProcessTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The delivered versions of the host, for the host itself and for its operator; the supervisor reads the same files at its
 * next turn. Every change is whole at any moment, and safe while the supervisor runs.
 */
public final class Versions {
    /** Kept besides the running, pinned and known-good ones (SPEC 1, "Pruning"). */
    private static final int KEPT = 5;

    private final Ledger ledger;
    private final Books books;
    private final Choosing choosing;
    private final Files files;

    /**
     * @param placed the host placed by hand
     * @param limit failures in a row after which the supervisor goes back
     */
    public Versions(Places places, Path placed, int limit, Files files, Ticker ticker) {
        this.files = files;
        this.ledger = new Ledger(places, placed, files);
        this.books = new Books(ledger, new LockFile(ticker));
        this.choosing = ledger.choosing(limit);
    }

    /** One delivered version, as an operator sees it. */
    public record Row(
            String name, OptionalLong arrival, boolean running, boolean pinned, boolean knownGood, boolean rejected) {}

    /**
     * @param rows newest first
     * @param next what the supervisor would run now, in words; empty: nothing
     * @param why that
     * @param pinnedBy "operator" or "rollback"; empty: nothing is pinned
     * @param halted why a person is needed
     * @param notes what is wrong with the files
     */
    public record Listing(
            List<Row> rows,
            Optional<String> next,
            String why,
            Optional<String> pinnedBy,
            Optional<String> halted,
            int failures,
            List<String> notes) {}

    // ---- for the host ----

    /** Whether a path is, or is to be, a version: a directory right under {@code versions/}. */
    public boolean isVersion(Path path) {
        return ledger.versions().equals(path.getParent())
                && Version.possible(path.getFileName().toString());
    }

    /** Which version a program of ours belongs to, by where it really lies; empty: to none. */
    public Optional<String> of(Path program) {
        Path real = Looks.real(ledger.versions());
        return program.startsWith(real) && !program.equals(real)
                ? Optional.of(real.relativize(program).getName(0).toString()).filter(Version::possible)
                : Optional.empty();
    }

    /** The directory that holds them. */
    public Path directory() {
        return ledger.versions();
    }

    /** The state directory's files that decide which version runs. */
    public Set<String> deciding() {
        return Set.of(StateDir.PINNED, StateDir.BY_OPERATOR, StateDir.REJECTED);
    }

    /**
     * A version is about to appear: its arrival is on disk before its name is.
     *
     * @param tree where it stands, whole, until it is renamed
     * @param sha256 of the archive, 64 hex digits
     */
    public void arriving(String name, Path tree, String sha256) {
        books.alone(() -> {
            books.replaced(name, "sha256:" + sha256);
            ledger.bytes().delivered(name, tree, "sha256:" + sha256);
            books.arrived(name);
            return name;
        });
    }

    /**
     * The first reconcile of the host is completed: it is well, whatever the declaration was.
     *
     * @param running empty: it was placed by hand
     * @return the versions that were pruned
     */
    public List<String> completed(Optional<String> running) {
        ledger.state().make();
        return books.alone(() -> {
            books.completed(running);
            return running.map(this::prune).orElse(List.of());
        });
    }

    /** What the supervisor would rather run than the version that runs now; empty: that one. */
    public Optional<String> successor(Optional<String> running) {
        Optional<Host> next = choosing.pick(scene()).host();
        return next.filter(host -> !host.version().equals(running)).map(Host::words);
    }

    private Scene scene() {
        return ledger.scene(Optional.empty());
    }

    private List<String> prune(String running) {
        Scene scene = scene();
        Set<String> kept = new HashSet<>(scene.knownGood());
        kept.add(running);
        kept.addAll(inUse(scene));
        scene.pin().map(Pin::version).ifPresent(kept::add);
        List<String> old = scene.versions().stream()
                .map(Version::name)
                .filter(name -> !kept.contains(name))
                .skip(KEPT)
                .toList();
        old.forEach(name -> files.deleteTree(ledger.versions().resolve(name)));
        if (!old.isEmpty()) {
            files.sync();
            ledger.bytes()
                    .keepOnly(scene.versions().stream()
                            .map(Version::name)
                            .filter(name -> !old.contains(name))
                            .toList());
        }
        return old;
    }

    /** A supervisor may run for months from a version that is long not the newest; its files must not go under it. */
    private Set<String> inUse(Scene scene) {
        List<String> commands = ProcessHandle.allProcesses()
                .flatMap(process -> process.info().commandLine().stream())
                .toList();
        Set<String> used = new HashSet<>();
        for (Version version : scene.versions()) {
            String tree = ledger.versions().resolve(version.name()) + "/";
            if (commands.stream().anyMatch(command -> command.contains(tree))) {
                used.add(version.name());
            }
        }
        return used;
    }

    /** The inode of the version's program: other bytes under its name are another version. Empty: it is not there. */
    public OptionalLong identity(String version) {
        Optional<Stat> program = files.stat(ledger.versions().resolve(version).resolve(Choosing.BINARY));
        return program.isPresent() ? OptionalLong.of(program.get().inode()) : OptionalLong.empty();
    }

    // ---- for the operator ----

    public Listing list() {
        Scene scene = scene();
        Choosing.Picked picked = choosing.pick(scene);
        Optional<String> running = running();
        List<String> notes = new ArrayList<>(scene.notes());
        picked.note().ifPresent(notes::add);
        List<Row> rows = scene.versions().stream()
                .map(version -> new Row(
                        version.name(),
                        version.arrival(),
                        running.filter(version.name()::equals).isPresent(),
                        scene.pin()
                                .filter(pin -> pin.version().equals(version.name()))
                                .isPresent(),
                        scene.knownGood().contains(version.name()),
                        version.rejected()))
                .toList();
        return new Listing(
                rows,
                picked.host().map(Host::words),
                picked.why(),
                scene.pin().map(pin -> pin.byOperator() ? "operator" : "rollback"),
                scene.halted(),
                scene.count(),
                notes);
    }

    /**
     * Runs that version, whatever arrives, until {@link #unpin}.
     *
     * @throws MachineFailure when it is not delivered
     */
    public void pin(String version) {
        ledger.state().make();
        books.alone(() -> {
            if (scene().version(version).isEmpty()) {
                throw new MachineFailure("cannot pin version " + version + ": it is not delivered under "
                        + ledger.versions() + "; nox-mesh-host versions shows those that are");
            }
            books.pardon(version);
            books.pin(new Pin(version, true));
            // Its attempts are its own, whatever failed before it.
            ledger.state().remove(StateDir.ATTEMPTS);
            return version;
        });
    }

    /** The version that was pinned; empty: none was. */
    public Optional<String> unpin() {
        return books.alone(() -> {
            Optional<String> before = ledger.pin(new ArrayList<>()).map(Pin::version);
            books.unpin();
            return before;
        });
    }

    /**
     * Gives the running version up as the supervisor would, without waiting for failures.
     *
     * @return what was rejected and what runs next, in words
     * @throws MachineFailure when there is nothing to go back from or to
     */
    public String rollback() {
        return books.alone(() -> {
            Scene scene = scene();
            String bad = running()
                    .or(() -> choosing.pick(scene).host().flatMap(Host::version))
                    .orElseThrow(() -> new MachineFailure("cannot roll back: the host that runs was placed by hand;"
                            + " there is nothing to go back to"));
            Host to = choosing.successor(bad, scene)
                    .orElseThrow(() -> new MachineFailure("cannot roll back from version " + bad
                            + ": no other version is delivered and not rejected, and no host is placed by hand;"
                            + " deliver one"));
            books.giveUp(new Choice.GoBack(Optional.of(bad), to, scene.count()));
            return "version " + bad + " is rejected; " + to.words() + " runs next";
        });
    }

    /** Forgets failures and the halt; what is rejected stays so. Gives the reason of the halt. */
    public Optional<String> resume() {
        return books.alone(() -> {
            Optional<String> halted = scene().halted();
            List.of(StateDir.ATTEMPTS, StateDir.ATTEMPTED, StateDir.HALTED).forEach(ledger.state()::remove);
            return halted;
        });
    }

    /** What the supervisor last wrote of itself, as JSON; empty: nothing. */
    public Optional<String> supervisorNote() {
        return ledger.state().text(StateDir.SUPERVISOR, new ArrayList<>());
    }

    private Optional<String> running() {
        // What a supervisor that was killed, or whose disk was full, left there says nothing of now.
        Leftover processes = new Leftover(new ProcessTable(Path.of("/proc")), () -> 0);
        return SupervisorStatus.last(supervisorNote())
                .filter(last -> processes.find(last).isPresent())
                .flatMap(SupervisorStatus.Last::version);
    }
}
