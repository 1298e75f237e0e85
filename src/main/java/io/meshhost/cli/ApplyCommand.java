package io.meshhost.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.meshhost.apply.Options;
import io.meshhost.apply.Report;
import io.meshhost.apply.Run;
import io.meshhost.control.ControlClient;
import io.meshhost.control.ControlClient.Answer;
import io.meshhost.control.Wire;
import io.meshhost.converge.Host;
import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code apply}: once; by the running host where there is one, since two hands on one machine undo each other. */
@Command(
        name = "apply",
        description = {
            "Makes this machine what the declaration says, once.",
            "While the host runs, the host does it; another file than its declaration is then refused."
        },
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExample, as any user, touching nothing but ./scratch:%n",
        footer = "  nox-mesh-host apply --root ./scratch examples/quickstart.yaml")
final class ApplyCommand extends DeclarationCommand {
    @Option(names = "--force", description = "Go back to a lower serial; take away what is of unknown origin.")
    private boolean force;

    @Option(
            names = "--rebuild-record",
            description = "Go on although the record was lost: adopt what matches the declaration.")
    private boolean rebuildRecord;

    ApplyCommand(World world) {
        super(world);
    }

    @Override
    public Integer call() {
        try (Host host = open()) {
            ControlClient client = new ControlClient(host.places().control());
            return (client.running() ? byTheHost(host, client) : here(host)).number();
        }
    }

    private ExitCode here(Host host) {
        Path path = file(given(), host);
        var declaration = declaration(host, path);
        ProgressLine progress = new ProgressLine(console());
        Report report = host.apply(
                declaration,
                new Options(force, rebuildRecord),
                new Run("apply", shown(progress), () -> false, outcome -> {}));
        progress.clear();
        return tell(report);
    }

    private Progress shown(ProgressLine progress) {
        return console().terminal() && !json() ? progress : Progress.NONE;
    }

    private ExitCode byTheHost(Host host, ControlClient client) {
        String own = client.get("/v1/status")
                .map(answer -> Wire.tree(answer.body())
                        .path("declaration")
                        .path("file")
                        .asText())
                .orElseThrow(ApplyCommand::gone);
        if (given() != null && !same(file(given(), host), Path.of(own))) {
            throw CallFailure.usage("cannot apply " + given() + ": the host is running and keeps " + own
                    + "; change that file, or stop the host first");
        }
        Answer answer = client.post("/v1/apply", Wire.options(new Options(force, rebuildRecord)))
                .orElseThrow(ApplyCommand::gone);
        if (answer.ok()) {
            return tell(Wire.read(answer.body(), Report.class));
        }
        return notApplied(answer);
    }

    private static MachineFailure gone() {
        return new MachineFailure("cannot apply: the host went away before it was done; see nox-mesh-host status");
    }

    /** Also by another name. */
    private static boolean same(Path given, Path own) {
        try {
            return absolute(given).equals(absolute(own)) || Files.isSameFile(given, own);
        } catch (IOException e) {
            return false;
        }
    }

    private ExitCode notApplied(Answer answer) {
        JsonNode body = Wire.tree(answer.body());
        if (json()) {
            console().lines(List.of(answer.body()));
        }
        body.path("faults").forEach(fault -> console().err().println(text(fault)));
        String sentence = body.path("error").asText("the host answered " + answer.status());
        throw answer.status() == 422 ? CallFailure.refused(sentence) : new MachineFailure(sentence);
    }

    private static String text(JsonNode fault) {
        return fault.path("file").asText() + ":" + fault.path("line").asInt() + ":"
                + fault.path("column").asInt() + ": " + fault.path("pointer").asText() + ": "
                + fault.path("message").asText();
    }

    private ExitCode tell(Report report) {
        console()
                .lines(
                        json()
                                ? List.of(Wire.json(report))
                                : ReportText.lines(report, console().paint()));
        return report.ok() ? ExitCode.DONE : ExitCode.FAILED;
    }
}
