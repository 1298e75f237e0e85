package io.meshhost.cli;

import io.meshhost.converge.Host;
import io.meshhost.launch.Versions.Listing;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code versions}: which are delivered, which runs, and why that one. */
@Command(
        name = "versions",
        description = "Shows the delivered versions of the host, newest first, and which of them runs and why.",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExample:%n",
        footer = "  nox-mesh-host versions")
final class VersionsCommand extends HostCommand {
    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    VersionsCommand(World world) {
        super(world);
    }

    @Override
    public Integer call() {
        try (Host host = open()) {
            Listing listing = host.versions().list();
            console()
                    .lines(
                            json
                                    ? List.of(VersionsText.json(listing))
                                    : VersionsText.lines(listing, console().paint()));
            return ExitCode.DONE.number();
        }
    }
}
