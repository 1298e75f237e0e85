package io.meshhost.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code run}: the daemon. Parsed here, started by {@link Main}, since it is the one command that needs Quarkus. */
@Command(
        name = "run",
        description = {
            "Runs the host: keeps this machine as its declaration says, until TERM or Ctrl-C.",
            "It listens on its control socket only, and on no TCP port."
        },
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExample, as any user, touching nothing but ./scratch:%n",
        footer = "  nox-mesh-host run --root ./scratch --declaration examples/quickstart.yaml")
final class RunCommand extends HostCommand {
    @Option(
            names = "--declaration",
            paramLabel = "FILE",
            description = "What to apply, instead of /etc/mesh-host/declaration.json or .yaml.")
    private @Nullable Path declaration;

    @Mixin
    private final ReadingOptions reading = new ReadingOptions();

    RunCommand(World world) {
        super(world);
    }

    @Override
    boolean trustFile() {
        return reading.trustFile();
    }

    @Override
    Map<String, Path> artifacts() {
        return reading.artifacts();
    }

    /** The daemon's log and its status do. */
    @Override
    boolean complains() {
        return false;
    }

    @Override
    Optional<Path> declaration() {
        return Optional.ofNullable(declaration).map(HostCommand::absolute);
    }

    /** The same call with every path absolute: the daemon leaves the current directory before it reads them again. */
    List<String> absoluteArguments() {
        List<String> words = new ArrayList<>();
        words.add("run");
        choices().root().ifPresent(path -> words.addAll(List.of("--root", path.toString())));
        choices().declaration().ifPresent(path -> words.addAll(List.of("--declaration", path.toString())));
        choices().artifacts().forEach((name, path) -> words.addAll(List.of("--artifact", name + "=" + path)));
        if (trustFile()) {
            words.add("--trust-file");
        }
        if (verbose()) {
            words.add("--verbose");
        }
        return words;
    }

    /** Never called for the daemon itself. */
    @Override
    public Integer call() {
        return ExitCode.DONE.number();
    }
}
