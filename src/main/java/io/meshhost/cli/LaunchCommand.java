package io.meshhost.cli;

import io.meshhost.launch.Launcher;
import io.meshhost.machine.Settings;
import io.meshhost.machine.Variable;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code launch}: the supervisor. What init is asked to run at boot. */
@Command(
        name = "launch",
        description =
                "Supervises the host: runs the right version of it, starts it again, goes back when a new one fails.",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExample, what the unit nox-mesh-host.service runs:%n",
        footer = "  nox-mesh-host launch")
final class LaunchCommand implements Callable<Integer> {
    @Mixin
    final HelpOption help = new HelpOption();

    @Option(names = "--root", paramLabel = "DIR", description = "Supervise a host that keeps everything under DIR.")
    private @Nullable Path root;

    @Override
    public Integer call() throws Exception {
        Map<Variable, String> options = new EnumMap<>(Variable.class);
        if (root != null) {
            options.put(Variable.ROOT, HostCommand.absolute(root).toString());
        }
        return supervise(options);
    }

    /**
     * Without a parser in between: the unit's own call needs none, and is to be up soon.
     *
     * @return the exit status
     */
    static int supervise(Map<Variable, String> options) throws Exception {
        Settings settings = Settings.real(options, false);
        Launcher launcher =
                Launcher.real(settings, System.getenv(), line -> System.err.println("nox-mesh-host-launch: " + line));
        Signals.keepChildren();
        Signals.take(launcher::term, launcher::interrupt, launcher::hangUp);
        return launcher.supervise();
    }
}
