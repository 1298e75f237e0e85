package io.meshhost.cli;

import io.meshhost.converge.Host;
import picocli.CommandLine.Command;

/** {@code rollback}: an operator does not wait for failures. */
@Command(
        name = "rollback",
        description =
                "Gives the running version up, as the supervisor does after too many failures: its bytes are rejected, and the last known-good version runs.",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExample:%n",
        footer = "  nox-mesh-host rollback")
final class RollbackCommand extends SteeringCommand {
    RollbackCommand(World world) {
        super(world);
    }

    @Override
    String steer(Host host) {
        return host.versions().rollback();
    }
}
