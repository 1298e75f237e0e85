package io.meshhost.cli;

import java.util.List;
import picocli.CommandLine.Command;

/** {@code version}. */
@Command(
        name = "version",
        description = "Prints the version of this program.",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExample:%n",
        footer = "  nox-mesh-host version")
final class VersionCommand extends PlainCommand {
    VersionCommand(World world) {
        super(world);
    }

    @Override
    List<String> print() {
        return List.of("nox-mesh-host " + world.version());
    }
}
