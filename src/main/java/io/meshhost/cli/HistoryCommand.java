package io.meshhost.cli;

import io.meshhost.control.Wire;
import io.meshhost.converge.Host;
import io.meshhost.record.HistoryEntry;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code history}: read from the record, whether the host runs or not. */
@Command(
        name = "history",
        description = "Shows what changed on this machine, when and why, newest first.",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExample, for one resource:%n",
        footer = "  nox-mesh-host history app/motd")
final class HistoryCommand extends HostCommand {
    @Parameters(arity = "0..1", paramLabel = "ID", description = "Only what was done to this resource (slug/id).")
    private @Nullable String id;

    @Option(
            names = {"-n", "--limit"},
            paramLabel = "N",
            defaultValue = "50",
            description = "How many entries; 50 without it.")
    private int limit;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    HistoryCommand(World world) {
        super(world);
    }

    @Override
    public Integer call() {
        if (limit < 1) {
            throw CallFailure.usage("cannot show " + limit + " entries of the history; give 1 or more");
        }
        try (Host host = open()) {
            List<HistoryEntry> entries = host.history(Optional.ofNullable(id), limit);
            if (id != null && entries.isEmpty() && !json) {
                console()
                        .lines(List.of("nothing has been changed at " + id
                                + " on this machine; an id is written slug/id, as nox-mesh-host history shows them"));
                return ExitCode.DONE.number();
            }
            console()
                    .lines(
                            json
                                    ? List.of(Wire.history(entries))
                                    : HistoryText.lines(entries, console().paint()));
            return ExitCode.DONE.number();
        }
    }
}
