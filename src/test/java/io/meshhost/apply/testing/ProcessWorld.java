package io.meshhost.apply.testing;

import io.meshhost.apply.Engine;
import io.meshhost.apply.Kinds;
import io.meshhost.apply.Options;
import io.meshhost.apply.Outcome;
import io.meshhost.apply.Plan;
import io.meshhost.apply.Report;
import io.meshhost.apply.Run;
import io.meshhost.bundle.ContentStore;
import io.meshhost.declaration.Resource;
import io.meshhost.declaration.Resource.Bytes;
import io.meshhost.machine.Files;
import io.meshhost.machine.Machine;
import io.meshhost.machine.Places;
import io.meshhost.machine.Probe;
import io.meshhost.machine.SystemAccounts;
import io.meshhost.machine.SystemCommands;
import io.meshhost.machine.SystemTicker;
import io.meshhost.machine.services.BuiltinMeans;
import io.meshhost.machine.services.BuiltinSettings;
import io.meshhost.machine.services.BuiltinSupervisor;
import io.meshhost.machine.services.ServiceState;
import io.meshhost.machine.services.Services;
import io.meshhost.record.Applied;
import io.meshhost.record.RecordStore;
import io.meshhost.record.RecordStores;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/** Nothing here stands for anything else: real archives, store, record, files and supervisor, in a folder. */
public final class ProcessWorld implements AutoCloseable {
    private static final BuiltinSettings BRISK = new BuiltinSettings(
            Duration.ofMillis(500), Duration.ofSeconds(2), Duration.ofSeconds(2), 1024 * 1024, ZoneId.of("UTC"));

    private final Path folder;
    private final Machine machine;
    private final SystemTicker ticker;
    private final ContentStore bundles;
    private RecordStore record;
    public BooleanSupplier stopping = () -> false;

    private ProcessWorld(Path folder, Places places, SystemTicker ticker, Services services) {
        this.folder = folder;
        this.ticker = ticker;
        SystemCommands commands = new SystemCommands();
        Files files = new Files(Path.of("/"), Probe.NONE, commands);
        this.machine = new Machine(
                files, new SystemAccounts(commands), commands, services, places, ticker, InstantSource.system());
        this.record = RecordStores.open(places.database(), folder.resolve("state"), true);
        this.bundles = new ContentStore(places.bundles(), files, ticker, Optional.empty());
    }

    private Engine engine() {
        return new Engine(machine, bundles, record, Kinds.all(machine, (name, tree, sha256) -> {}));
    }

    /** The record is lost, and nothing else. */
    public void loseRecord() throws IOException {
        record.close();
        for (String suffix : List.of("", "-wal", "-shm")) {
            java.nio.file.Files.deleteIfExists(Path.of(machine.places().database() + suffix));
        }
        record = RecordStores.open(machine.places().database(), folder.resolve("state"), true);
    }

    /** As {@code apply --rebuild-record}. */
    public Report rebuild(Resource... resources) {
        return engine().apply(Declared.machine(resources), new Options(false, true), Run.quiet("test"));
    }

    /** As {@code apply --force}. */
    public Report force(Resource... resources) {
        return engine().apply(Declared.machine(resources), new Options(true, false), Run.quiet("test"));
    }

    public Map<String, Applied> recorded() {
        return record.applied();
    }

    /** In a running host without systemd. */
    public static ProcessWorld running(Path folder) throws IOException {
        return of(folder, folder.resolve("units"), means -> {
            BuiltinSupervisor supervisor = new BuiltinSupervisor(means);
            supervisor.start();
            return supervisor;
        });
    }

    /** @param units where the supervisor reads its units */
    public static ProcessWorld of(Path folder, Path units, Function<BuiltinMeans, Services> supervisor)
            throws IOException {
        java.nio.file.Files.createDirectories(folder.resolve("state"));
        Places places = new Places(
                Path.of("/"),
                folder.resolve("state"),
                folder.resolve("daemons"),
                units,
                folder.resolve("lib"),
                folder.resolve("control"),
                Optional.empty());
        SystemTicker ticker = new SystemTicker();
        SystemCommands commands = new SystemCommands();
        BuiltinMeans means = new BuiltinMeans(
                places,
                new Files(Path.of("/"), Probe.NONE, commands),
                commands,
                new SystemAccounts(commands),
                ticker,
                InstantSource.system(),
                BRISK,
                _ -> {});
        return new ProcessWorld(folder, places, ticker, supervisor.apply(means));
    }

    public Report report(Resource... resources) {
        Run quiet = Run.quiet("test");
        return engine().apply(
                        Declared.machine(resources),
                        Options.none(),
                        new Run("test", quiet.progress(), () -> stopping.getAsBoolean(), quiet.each()));
    }

    /** What became of the last of them. */
    public Outcome apply(Resource... resources) {
        return report(resources).outcomes().getLast();
    }

    public Plan plan(Resource... resources) {
        return engine().plan(Declared.machine(resources), Options.none());
    }

    /**
     * A tar file beside everything else.
     *
     * @param contents by name; a name that ends in {@code *} is executable
     */
    public Bytes publish(Map<String, String> contents) throws IOException {
        Path part = folder.resolve("bundle.part");
        try (OutputStream out = java.nio.file.Files.newOutputStream(part);
                TarArchiveOutputStream tar = new TarArchiveOutputStream(out, "UTF-8")) {
            for (Map.Entry<String, String> entry : new TreeMap<>(contents).entrySet()) {
                String name = entry.getKey().replace("*", "");
                byte[] bytes = entry.getValue().getBytes(StandardCharsets.UTF_8);
                TarArchiveEntry header = new TarArchiveEntry(name);
                header.setSize(bytes.length);
                header.setMode(name.equals(entry.getKey()) ? 0644 : 0755);
                tar.putArchiveEntry(header);
                tar.write(bytes);
                tar.closeArchiveEntry();
            }
        }
        String sha256 = machine.files().sha256(part);
        Path tar = folder.resolve(sha256 + ".tar");
        java.nio.file.Files.move(part, tar, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        return new Bytes.Published(tar.toUri(), sha256);
    }

    public Services services() {
        return machine.services();
    }

    public ServiceState state(String unit) {
        return services().states(List.of(unit)).getOrDefault(unit, ServiceState.absent(unit));
    }

    public Path tree(String name) {
        return folder.resolve("daemons").resolve(name);
    }

    /** The folder that only the host reads. */
    public Path state() {
        return folder.resolve("state");
    }

    @Override
    public void close() {
        if (machine.services() instanceof BuiltinSupervisor running) {
            running.close();
        }
        record.close();
        ticker.close();
    }
}
