package io.meshhost.converge;

import io.meshhost.machine.Accounts;
import io.meshhost.machine.Commands;
import io.meshhost.machine.Files;
import io.meshhost.machine.Machine;
import io.meshhost.machine.Places;
import io.meshhost.machine.Probe;
import io.meshhost.machine.SystemAccounts;
import io.meshhost.machine.SystemCommands;
import io.meshhost.machine.SystemTicker;
import io.meshhost.machine.services.BuiltinMeans;
import io.meshhost.machine.services.BuiltinSettings;
import io.meshhost.machine.services.Services;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.function.Consumer;

/** The real doors to one machine, made once a program. */
record Doors(Files files, Accounts accounts, Commands commands, SystemTicker ticker, InstantSource clock) {

    static Doors real(Places places) {
        Commands commands = new SystemCommands();
        return new Doors(
                new Files(places.root(), Probe.NONE, commands),
                new SystemAccounts(commands),
                commands,
                new SystemTicker(),
                InstantSource.system());
    }

    Machine machine(Services services, Places places) {
        return new Machine(files, accounts, commands, services, places, ticker, clock);
    }

    BuiltinMeans means(Places places, Consumer<String> notes) {
        return new BuiltinMeans(
                places,
                files,
                commands,
                accounts,
                ticker,
                clock,
                BuiltinSettings.standard(ZoneId.systemDefault()),
                notes);
    }

    /** The directory, its missing parents with it: 0700, since what the host keeps there is nobody else's. */
    void makeOurs(Path directory, Places places) {
        if (!places.wholeMachine()) {
            // The scratch root itself may be missing too, and these doors lead nowhere above it.
            make(new Files(Path.of("/"), Probe.NONE, commands), places.root(), 0755);
        }
        make(files, directory, 0700);
    }

    private static void make(Files files, Path directory, int mode) {
        for (Path missing : files.missingParents(directory.resolve("x"))) {
            files.makeDirectory(missing, Files.Attributes.mode(missing.equals(directory) ? mode : 0755));
        }
        files.sync();
    }
}
