package io.meshhost.cli;

import io.meshhost.converge.Host;
import io.meshhost.machine.Commands;
import io.meshhost.machine.Commands.Command;
import io.meshhost.machine.SystemCommands;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** {@code resume}: a person has looked; the supervisor may try again. */
@picocli.CommandLine.Command(
        name = "resume",
        description = {
            "Starts again after a halt: forgets the failures and the halt, keeps what is rejected.",
            "Starts the unit nox-mesh-host.service where systemd has it."
        },
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExample:%n",
        footer = "  nox-mesh-host resume")
final class ResumeCommand extends SteeringCommand {
    static final String UNIT = "nox-mesh-host.service";

    /** sd_booted(3). */
    private static final Path BOOTED = Path.of("/run/systemd/system");

    ResumeCommand(World world) {
        super(world);
    }

    @Override
    String steer(Host host) {
        Optional<String> halted = host.versions().resume();
        String what = halted.map(
                        reason -> "the halt (" + (reason.isEmpty() ? "reason not recorded" : reason) + ") is lifted; ")
                .orElse("it was not halted; failures are forgotten; ");
        return what + start(host);
    }

    private static String start(Host host) {
        Commands commands = new SystemCommands();
        boolean ours = host.places().wholeMachine()
                && Files.isDirectory(BOOTED)
                && commands.run(Command.of("systemctl", "cat", UNIT)).ok();
        if (!ours) {
            return "start it with " + Invocation.of("launch", host.places());
        }
        // The host may take minutes until it is ready; whoever resumed it watches status for that.
        commands.mustRun(Command.of("systemctl", "start", "--no-block", UNIT));
        return UNIT + " is being started; see nox-mesh-host status";
    }
}
