package io.meshhost.cli;

import io.meshhost.converge.Host;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code pin}: an operator decides. */
@Command(
        name = "pin",
        description = "Runs version V from now on, whatever arrives, until unpin; a rejection of it is lifted.",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExample:%n",
        footer = "  nox-mesh-host pin 1.4.2")
final class PinCommand extends SteeringCommand {
    @Parameters(paramLabel = "V", description = "A delivered version, as nox-mesh-host versions shows it.")
    @SuppressWarnings("NullAway.Init") // set by picocli before it runs
    private String version;

    PinCommand(World world) {
        super(world);
    }

    @Override
    String steer(Host host) {
        host.versions().pin(version);
        return "version " + version
                + " is pinned; the supervisor runs it from its next turn on, until nox-mesh-host unpin";
    }
}
