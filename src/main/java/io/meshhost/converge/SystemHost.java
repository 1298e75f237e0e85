package io.meshhost.converge;

import io.meshhost.apply.ApplyFailure;
import io.meshhost.apply.Engine;
import io.meshhost.apply.Kinds;
import io.meshhost.apply.Options;
import io.meshhost.apply.Plan;
import io.meshhost.apply.Report;
import io.meshhost.apply.Run;
import io.meshhost.bundle.ContentStore;
import io.meshhost.declaration.Declaration;
import io.meshhost.declaration.Reading;
import io.meshhost.launch.Versions;
import io.meshhost.machine.DirectoryLock;
import io.meshhost.machine.Files;
import io.meshhost.machine.JavaHome;
import io.meshhost.machine.LockFile;
import io.meshhost.machine.Machine;
import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.OpenFiles;
import io.meshhost.machine.Places;
import io.meshhost.machine.Settings;
import io.meshhost.machine.Variable;
import io.meshhost.machine.services.BuiltinServices;
import io.meshhost.machine.services.BuiltinSupervisor;
import io.meshhost.machine.services.Services;
import io.meshhost.machine.services.SystemdServices;
import io.meshhost.record.HistoryEntry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/** {@link Host} on the real machine, or under a scratch root of it. What costs something is opened when it is needed. */
public final class SystemHost implements Host {
    /** Another apply is waited for this long (SPEC 2). */
    private static final Duration LOCK_WAIT = Duration.ofSeconds(10);

    private final Settings settings;
    private final Places places;
    private final Doors doors;
    private final DeclarationReader reader;
    private final OpenRecord record;
    private final ContentStore bundles;
    private final Versions versions;

    public SystemHost(Settings settings, Choices choices) {
        this.settings = settings;
        this.places = settings.places();
        this.doors = Doors.real(places);
        this.reader = new DeclarationReader(choices.trustFile(), choices.artifacts());
        this.record = new OpenRecord(places, doors.files());
        this.versions = new Versions(
                places,
                settings.place(Variable.BIN),
                settings.count(Variable.START_LIMIT),
                doors.files(),
                doors.ticker());
        this.bundles = new ContentStore(places.bundles(), doors.files(), doors.ticker(), Optional.empty());
    }

    @Override
    public String node() {
        return reader.node();
    }

    @Override
    public Places places() {
        return places;
    }

    @Override
    public DeclarationPlace declarationPlace() {
        boolean named = settings.text(Variable.DECLARATION).isPresent()
                && places.declaration().isPresent();
        return new DeclarationPlace(named ? List.of(places.declaration().orElseThrow()) : settings.declarationPlaces());
    }

    @Override
    public Reading read(Path file) {
        return reader.read(file);
    }

    @Override
    public Plan plan(Declaration declaration, Options options) {
        return engine(installer(), false).plan(declaration, options);
    }

    @Override
    public Report apply(Declaration declaration, Options options, Run run) {
        return apply(installer(), declaration, options, run);
    }

    /** The lock is held and never looked at. */
    @SuppressWarnings("try")
    private Report apply(Services services, Declaration declaration, Options options, Run run) {
        doors.makeOurs(places.stateDir(), places);
        Path file = places.stateDir().resolve("apply.lock");
        LockFile lock = new LockFile(doors.ticker());
        try (LockFile.Held held = lock.hold(file, LOCK_WAIT).orElseThrow(() -> busy(lock.holder(file)))) {
            if (options.rebuildRecord()) {
                record.setDamagedAside(doors.clock().instant());
            }
            return engine(services, true).apply(declaration, options, run);
        }
    }

    private static ApplyFailure busy(OptionalLong holder) {
        return new ApplyFailure(
                ApplyFailure.Reason.BUSY,
                "cannot apply: another apply"
                        + (holder.isPresent() ? ", pid " + holder.getAsLong() + "," : "")
                        + " is at work; try again when it is done");
    }

    private Engine engine(Services services, boolean mayCreate) {
        Machine machine = doors.machine(services, places);
        return new Engine(machine, bundles, record.open(mayCreate), Kinds.all(machine, versions::arriving));
    }

    /** systemd where it is PID 1 and the machine itself is meant; else what installs for the built-in supervisor. */
    private Services installer() {
        return systemd() ? systemdServices() : new BuiltinServices(doors.means(places, note -> {}));
    }

    private boolean systemd() {
        // sd_booted(3)
        return places.wholeMachine()
                && doors.files().stat(Path.of("/run/systemd/system")).isPresent();
    }

    private Services systemdServices() {
        return new SystemdServices(doors.commands(), doors.files(), places.unitDir());
    }

    @Override
    public List<HistoryEntry> history(Optional<String> id, int limit) {
        return doors.files().stat(places.database()).isEmpty()
                ? List.of()
                : record.open(false).history(id, limit);
    }

    @Override
    public Files files() {
        return doors.files();
    }

    @Override
    public int ownUid() {
        return doors.accounts().ownUid();
    }

    @Override
    public AutoCloseable alone() {
        unserved().stream().findFirst().ifPresent(sentence -> {
            throw new MachineFailure(sentence);
        });
        try {
            doors.makeOurs(places.stateDir(), places);
        } catch (MachineFailure failure) {
            // A machine whose disk is read-only still has a host, that says so.
            PassLog.note(failure.sentence());
        }
        return new DirectoryLock(places.stateDir(), "host", new LockFile(doors.ticker())).hold("run", PassLog::note);
    }

    @Override
    public Parts parts(String version) {
        Optional<BuiltinSupervisor> supervisor =
                systemd() ? Optional.empty() : Optional.of(new BuiltinSupervisor(doors.means(places, PassLog::note)));
        Services services = supervisor.<Services>map(built -> built).orElseGet(this::systemdServices);
        DeclarationPlace place = declarationPlace();
        List<String> complaints = settings.complaints();
        complaints.forEach(PassLog::note);
        return new Parts(
                new Board.Identity(
                        node(), version, ProcessHandle.current().pid(), services.name(), place.shown(), complaints),
                place,
                this::read,
                (declaration, options, run) -> apply(services, declaration, options, run),
                this::history,
                file -> !OpenFiles.writers(file).isEmpty(),
                doors.ticker(),
                Clock.systemUTC(),
                settings.time(Variable.RECONCILE_EVERY),
                supervised(),
                () -> ThreadLocalRandom.current().nextDouble(),
                () -> supervisor.ifPresent(BuiltinSupervisor::start),
                () -> {
                    supervisor.ifPresent(BuiltinSupervisor::close);
                    close();
                });
    }

    @Override
    public List<String> complaints() {
        return Stream.concat(settings.complaints().stream(), unserved().stream())
                .toList();
    }

    /** What {@code run} refuses, and every other command only says. */
    private List<String> unserved() {
        return Stream.concat(
                        settings
                                .text(Variable.HTTP_LISTEN)
                                .map(address -> "cannot listen on " + address
                                        + ": this version answers on its control socket only; unset "
                                        + Variable.HTTP_LISTEN.variable())
                                .stream(),
                        settings.socketFault().stream())
                .toList();
    }

    @Override
    public Versions versions() {
        return versions;
    }

    private Supervised supervised() {
        Optional<Path> socket = settings.text(Variable.LAUNCHER).map(Path::of);
        Path program = Program.path();
        // A supervisor of another make says nothing; then it is known by where it lies.
        Optional<String> running = settings.text(Variable.VERSION).or(() -> versions.of(program));
        // Somebody at a terminal who runs the host by itself would only see it end.
        boolean kept = socket.isPresent() || running.isPresent() || Program.of(settings.place(Variable.BIN), program);
        return new Supervised(
                new Supervised.Place(
                        socket,
                        running,
                        places.stateDir(),
                        kept,
                        settings.text(Variable.GIVEN_UP).orElse("")),
                versions,
                doors.ticker(),
                JavaHome.now()::replaced);
    }

    @Override
    public Optional<String> stateFile(String name) {
        Path file = places.stateDir().resolve(name);
        return doors.files().stat(file).isPresent()
                ? Optional.of(new String(doors.files().read(file, 64 << 10), StandardCharsets.UTF_8))
                : Optional.empty();
    }

    @Override
    public void close() {
        record.close();
        doors.ticker().close();
    }
}
