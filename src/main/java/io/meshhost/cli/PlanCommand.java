package io.meshhost.cli;

import io.meshhost.apply.Action;
import io.meshhost.apply.Options;
import io.meshhost.apply.Plan;
import io.meshhost.control.Wire;
import io.meshhost.converge.Host;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code plan}: what an apply would do, as a diff; changes nothing. */
@Command(
        name = "plan",
        description = "Shows what an apply would change, as a diff, and changes nothing.",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExample, for a script that acts on drift:%n",
        footer = "  nox-mesh-host plan --exit-code || echo \"this machine is not as declared\"")
final class PlanCommand extends DeclarationCommand {
    @Option(names = "--exit-code", description = "Exit with 4 when there is something to do.")
    private boolean exitCode;

    @Option(names = "--force", description = "As apply --force would do it.")
    private boolean force;

    @Option(names = "--rebuild-record", description = "As apply --rebuild-record would do it.")
    private boolean rebuildRecord;

    PlanCommand(World world) {
        super(world);
    }

    @Override
    public Integer call() {
        try (Host host = open()) {
            Plan plan = host.plan(declaration(host, file(given(), host)), new Options(force, rebuildRecord));
            console()
                    .lines(
                            json()
                                    ? List.of(Wire.plan(PlanText.report(plan)))
                                    : PlanText.lines(plan, console().paint()));
            return code(plan).number();
        }
    }

    private ExitCode code(Plan plan) {
        if (plan.changes().stream().anyMatch(change -> change.action() == Action.FAILED)) {
            return ExitCode.FAILED;
        }
        return exitCode && plan.pending() > 0 ? ExitCode.PENDING : ExitCode.DONE;
    }
}
