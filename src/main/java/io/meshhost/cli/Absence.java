package io.meshhost.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meshhost.control.Wire;
import io.meshhost.converge.Host;
import io.meshhost.machine.ExpectedFailure;
import io.meshhost.record.HistoryEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The status of a host that does not answer: whether it is halted, and what the record last says. */
record Absence(Host host, Console console, boolean json, Instant now) {

    ExitCode tell() {
        Optional<String> halted = host.stateFile("halted").map(String::strip);
        List<HistoryEntry> last = lastEntries();
        Optional<SupervisorText> supervisor = SupervisorText.ask(host);
        console.lines(json ? List.of(json(halted, last, supervisor)) : text(halted, last, supervisor));
        return halted.isPresent() ? ExitCode.HALTED : ExitCode.NOT_RUNNING;
    }

    private List<String> text(Optional<String> halted, List<HistoryEntry> last, Optional<SupervisorText> supervisor) {
        List<String> lines = new ArrayList<>();
        Paint paint = console.paint();
        lines.add(host.node() + ": "
                + halted.map(reason -> paint.bad("the host is halted") + ": " + reason)
                        .orElse(paint.bad("the host is not running") + "; nothing is being kept as declared"));
        supervisor.ifPresent(found -> lines.addAll(found.lines(now)));
        lines.add("");
        lines.add("what the record last says:");
        lines.addAll(HistoryText.lines(last, paint));
        lines.add("");
        lines.add("what to do: " + advice(halted.isPresent(), supervisor));
        return lines;
    }

    private String advice(boolean halted, Optional<SupervisorText> supervisor) {
        if (halted) {
            return "see " + Invocation.of("versions", host.places())
                    + ", mend what is wrong (a pinned version that fails: "
                    + Invocation.of("unpin", host.places()) + "), then "
                    + Invocation.of("resume", host.places());
        }
        if (supervisor.filter(SupervisorText::alive).isPresent()) {
            return "its supervisor starts it again; see its log"
                    + (host.places().wholeMachine() ? ", journalctl -u " + ResumeCommand.UNIT : "");
        }
        return "start it, with "
                + (host.places().wholeMachine()
                        ? "systemctl start " + ResumeCommand.UNIT + " or nox-mesh-host launch"
                        : Invocation.of("run", host.places()));
    }

    private static String json(Optional<String> halted, List<HistoryEntry> last, Optional<SupervisorText> supervisor) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("state", halted.isPresent() ? "halted" : "not running").put("ready", false);
        halted.ifPresent(reason -> node.put("reason", reason));
        // What one that is gone once wrote would say that it runs.
        supervisor.filter(SupervisorText::alive).ifPresent(found -> node.set("launcher", found.said()));
        node.set("history", Wire.tree(Wire.history(last)));
        return node.toString();
    }

    /** Status must answer even where the record is damaged. */
    private List<HistoryEntry> lastEntries() {
        try {
            return host.history(Optional.empty(), 1);
        } catch (ExpectedFailure failure) {
            console.err().println("nox-mesh-host: " + failure.sentence());
            console.err().flush();
            return List.of();
        }
    }
}
