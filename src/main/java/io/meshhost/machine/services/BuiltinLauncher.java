package io.meshhost.machine.services;

import io.meshhost.machine.Commands;
import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.services.BuiltinCommand.Login;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
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

    private static Map<String, String> read(String unit, Path file) {
        refuseOddFile(unit, file);
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(LIMIT + 1);
            if (bytes.length > LIMIT) {
                throw new MachineFailure(
                        "cannot start " + unit + ": " + file + " is larger than 1 MiB; it is no list of variables");
            }
            return EnvironmentFile.parse(bytes, file);
        } catch (IOException e) {
            throw new MachineFailure(
                    "cannot start " + unit + ": cannot read " + file + " ("
                            + e.getClass().getSimpleName() + "); see that it is there, or take it out of env_file",
                    e);
        }
    }

    /**
     * Root opens what somebody else may have put there: a fifo would hold the supervisor for ever, and a link of his
     * could lead to another process's secrets. Root's own links are followed, as systemd follows them.
     */
    private static void refuseOddFile(String unit, Path file) {
        try {
            if (Files.isSymbolicLink(file)) {
                Object owner = Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
                if (!owner.equals(0) && !owner.equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))) {
                    throw new MachineFailure("cannot start " + unit + ": " + file
                            + " is a link that belongs to somebody else; name the file itself in env_file");
                }
            }
            if (Files.exists(file) && !Files.isRegularFile(file)) {
                throw new MachineFailure("cannot start " + unit + ": " + file
                        + " is no regular file; name a file of KEY=VALUE lines in env_file");
            }
        } catch (IOException e) {
            throw new MachineFailure("cannot start " + unit + ": cannot look at " + file + "; is it there?", e);
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
