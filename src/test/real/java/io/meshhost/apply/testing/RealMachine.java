package io.meshhost.apply.testing;

import io.meshhost.apply.Engine;
import io.meshhost.apply.Kinds;
import io.meshhost.apply.Options;
import io.meshhost.apply.Report;
import io.meshhost.apply.Run;
import io.meshhost.bundle.ContentStore;
import io.meshhost.declaration.Declaration;
import io.meshhost.machine.Files;
import io.meshhost.machine.Machine;
import io.meshhost.machine.Places;
import io.meshhost.machine.Probe;
import io.meshhost.machine.SystemAccounts;
import io.meshhost.machine.SystemCommands;
import io.meshhost.machine.SystemTicker;
import io.meshhost.machine.services.Services;
import io.meshhost.machine.services.SystemdServices;
import io.meshhost.record.RecordStore;
import io.meshhost.record.RecordStores;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;

/** The whole machine with everything real but the state, which lies in a folder of the test; each apply is a process of its own. */
public final class RealMachine implements AutoCloseable {
    private final Path base;
    private final SystemTicker ticker = new SystemTicker();
    private final Machine machine;

    public RealMachine(Path base) {
        this.base = base;
        SystemCommands commands = new SystemCommands();
        Files files = new Files(Path.of("/"), Probe.NONE);
        Path units = Path.of("/etc/systemd/system");
        Places places = new Places(
                Path.of("/"),
                base.resolve("state"),
                base.resolve("daemons"),
                units,
                base.resolve("libexec"),
                base.resolve("control.sock"),
                Optional.empty());
        Services services = new SystemdServices(commands, files, units);
        this.machine = new Machine(
                files, new SystemAccounts(commands), commands, services, places, ticker, InstantSource.system());
    }

    public Report apply(Declaration declaration) {
        Places places = machine.places();
        try (RecordStore record = RecordStores.open(places.database(), base.resolve("lib"), true)) {
            ContentStore bundles = new ContentStore(places.bundles(), machine.files(), ticker, Optional.empty());
            return new Engine(machine, bundles, record, Kinds.all(machine, (name, tree, sha256) -> {}))
                    .apply(declaration, Options.none(), Run.quiet("test"));
        }
    }

    @Override
    public void close() {
        ticker.close();
    }
}
