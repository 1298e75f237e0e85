package io.meshhost.machine.services;

import io.meshhost.machine.Commands;
import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.UntrustedFile;
import io.meshhost.machine.services.BuiltinCommand.Login;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Finds out what the start of a process needs to know: its user, its files, the programs that lead it in. */
final class BuiltinLauncher {
    private static final int LIMIT = 1024 * 1024;
    private static final Pattern COLON = Pattern.compile(":");
    private final Commands commands;
    private final boolean root;
    private final BuiltinCommand.Tools tools;

    BuiltinLauncher(Commands commands, boolean root, ProcessTable table) {
        this.commands = commands;
        this.root = root;
        this.tools = new BuiltinCommand.Tools(
                commands.find("setpriv"),
                commands.find("setsid"),
                commands.find("prlimit"),
                commands.find("env"),
                root ? Long.MAX_VALUE : table.mostFiles());
    }

    /**
     * Looked at anew for each start, as systemd does: the user or a file may have come since.
     *
     * @throws MachineFailure when the program, its directory, its user or one of its files is missing
     */
    BuiltinCommand command(ProcessSpec spec, String mark) {
        String program = spec.argv().getFirst();
        if (!Files.isExecutable(Path.of(program)) || Files.isDirectory(Path.of(program))) {
            throw new MachineFailure("cannot start " + unit(spec) + ": " + program
                    + " is not an executable file; see that the bundle brings it, with its mode");
        }
        if (!Files.isDirectory(spec.directory())) {
            throw new MachineFailure("cannot start " + spec.name() + ": there is no directory " + spec.directory()
                    + "; apply again to unpack it");
        }
        Optional<Login> login = root ? spec.user().map(user -> login(unit(spec), user)) : Optional.empty();
        return BuiltinCommand.of(spec, login, variables(spec), mark, tools);
    }

    private static String unit(ProcessSpec spec) {
        return spec.step() ? spec.name() : BuiltinPlaces.service(spec.name());
    }

    List<String> limitsNotEnforced(ProcessSpec spec) {
        return BuiltinCommand.limitsNotEnforced(spec, root, tools);
    }

    private Map<String, String> variables(ProcessSpec spec) {
        Map<String, String> out = new HashMap<>();
        if (spec.secrets().isEmpty()) {
            spec.secretFile().ifPresent(file -> out.putAll(read(unit(spec), file)));
        }
        spec.environmentFiles().forEach(file -> out.putAll(read(unit(spec), file)));
        return out;
    }

    /** As systemd does, but for links of somebody else's: they could lead to another process's secrets. */
    private static Map<String, String> read(String unit, Path file) {
        try {
            return EnvironmentFile.parse(UntrustedFile.read(file, LIMIT), file);
        } catch (MachineFailure failure) {
            throw new MachineFailure(
                    "cannot start " + unit + ": " + failure.sentence() + "; mend it, or take it out of env_file",
                    failure);
        }
    }

    /** By getent(1), which knows all that the machine's name services know; not only /etc/passwd. */
    private Login login(String unit, String user) {
        Commands.Result found = commands.run(Commands.Command.of("getent", "passwd", user));
        List<String> fields = List.of(COLON.split(found.out().strip(), -1));
        if (found.ok() && fields.size() >= 7) {
            return new Login(
                    fields.get(0),
                    Integer.parseInt(fields.get(2)),
                    Integer.parseInt(fields.get(3)),
                    fields.get(5),
                    fields.get(6).isEmpty() ? "/bin/sh" : fields.get(6));
        }
        if (user.matches("\\d{1,9}")) {
            return new Login(user, Integer.parseInt(user), Integer.parseInt(user), "/", "/bin/sh");
        }
        throw new MachineFailure("cannot start " + unit + ": there is no user " + user + "; declare it as a user");
    }
}
