package io.meshhost.cli;

import io.meshhost.converge.Host;
import io.meshhost.launch.SupervisorClient;
import io.meshhost.machine.Commands;
import io.meshhost.machine.Commands.Command;
import io.meshhost.machine.Places;
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
        Places places = host.places();
        // One that has just halted still answers, and ends.
        if (halted.isEmpty() && SupervisorClient.ask(places.control()).isPresent()) {
            return what + "its supervisor is running already; see " + Invocation.of("status", places);
        }
        return what + start(new SystemCommands(), places.wholeMachine() && Files.isDirectory(BOOTED), places);
    }

    static String start(Commands commands, boolean systemd, Places places) {
        if (!systemd || !commands.run(Command.of("systemctl", "cat", UNIT)).ok()) {
            return "start it with " + Invocation.of("launch", places);
        }
        boolean active =
                commands.run(Command.of("systemctl", "is-active", UNIT)).ok();
        // The host may take minutes until it is ready; whoever resumed it watches status for that. An active one may be
        // about to end, halted.
        commands.mustRun(Command.of("systemctl", "start", "--no-block", UNIT));
        return UNIT + (active ? " is running already" : " is being started") + "; see nox-mesh-host status";
    }
}
