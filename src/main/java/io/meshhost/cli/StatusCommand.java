package io.meshhost.cli;

import io.meshhost.apply.Outcome;
import io.meshhost.control.ControlClient;
import io.meshhost.control.ControlClient.Answer;
import io.meshhost.control.Wire;
import io.meshhost.converge.Host;
import io.meshhost.converge.HostStatus;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code status}: asks the running host; where none runs, says so and what the record last says. */
@Command(
        name = "status",
        description =
                "Says whether this machine is well, since when, what the host is doing, what failed and what to do.",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExample:%n",
        footer = "  nox-mesh-host status --watch")
final class StatusCommand extends HostCommand {
    private static final long EVERY_SECONDS = 2;

    @Option(names = "--watch", description = "Show it again every two seconds, until Ctrl-C.")
    private boolean watch;

    @Option(names = "--resources", description = "Show every resource and what became of it last.")
    private boolean resources;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    StatusCommand(World world) {
        super(world);
    }

    @Override
    public Integer call() throws InterruptedException {
        try (Host host = open()) {
            ControlClient client = new ControlClient(host.places().control());
            ExitCode code = once(host, client);
            // Nothing counts it down: it is a wait that Ctrl-C ends with the process.
            CountDownLatch never = new CountDownLatch(1);
            while (watch && !never.await(EVERY_SECONDS, TimeUnit.SECONDS)) {
                if (console().terminal() && !json) {
                    console().out().print("\033[H\033[2J");
                }
                code = once(host, client);
            }
            return code.number();
        }
    }

    private ExitCode once(Host host, ControlClient client) {
        Optional<Answer> answer = client.get(resources ? "/v1/resources" : "/v1/status");
        if (answer.isEmpty()) {
            return new Absence(host, console(), json, world.clock().instant()).tell();
        }
        String body = answer.get().body();
        Optional<SupervisorText> supervisor =
                resources || !answer.get().ok() ? Optional.empty() : SupervisorText.ask(host);
        if (json) {
            console().lines(List.of(supervisor.map(found -> found.into(body)).orElse(body)));
        } else if (!answer.get().ok()) {
            console()
                    .lines(List.of(Wire.tree(body)
                            .path("error")
                            .asText("the host answered " + answer.get().status())));
        } else if (resources) {
            console()
                    .lines(ReportText.outcomes(
                            Arrays.asList(Wire.read(body, Outcome[].class)),
                            console().paint()));
        } else {
            console()
                    .lines(StatusText.lines(
                            Wire.read(body, HostStatus.class),
                            host.places(),
                            world.clock().instant(),
                            console().paint()));
            supervisor.ifPresent(
                    found -> console().lines(found.lines(world.clock().instant())));
        }
        return ExitCode.DONE;
    }
}
