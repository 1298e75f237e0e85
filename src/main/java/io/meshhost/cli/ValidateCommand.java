package io.meshhost.cli;

import io.meshhost.control.Wire;
import io.meshhost.converge.Host;
import io.meshhost.declaration.Reading;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code validate}: all faults at once, nothing touched. */
@Command(
        name = "validate",
        description = "Checks a declaration and says everything that is wrong with it, each with its line.",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExample:%n",
        footer = "  nox-mesh-host validate --json examples/quickstart.yaml")
final class ValidateCommand extends DeclarationCommand {
    ValidateCommand(World world) {
        super(world);
    }

    @Override
    public Integer call() {
        try (Host host = open()) {
            Path path = file(given(), host);
            Reading reading = host.read(path);
            boolean ok = reading.declaration().isPresent();
            if (json()) {
                console().lines(List.of(Wire.faults(ok, reading.faults())));
            } else {
                tell(reading.faults());
                reading.declaration()
                        .ifPresent(declaration -> console()
                                .lines(List.of(path + " is well: "
                                        + declaration.resources().count() + " resources for " + declaration.node())));
            }
            return (ok ? ExitCode.DONE : ExitCode.REFUSED).number();
        }
    }
}
