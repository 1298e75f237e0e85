package io.meshhost.cli;

import io.meshhost.converge.Host;
import picocli.CommandLine.Command;

/** {@code unpin}: arrivals decide again. */
@Command(
        name = "unpin",
        description = "Ends a pin: the newest version that is not rejected runs again.",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExample:%n",
        footer = "  nox-mesh-host unpin")
final class UnpinCommand extends SteeringCommand {
    UnpinCommand(World world) {
        super(world);
    }

    @Override
    String steer(Host host) {
        return host.versions()
                .unpin()
                .map(version -> "version " + version + " is not pinned any more")
                .orElse("nothing was pinned");
    }
}
