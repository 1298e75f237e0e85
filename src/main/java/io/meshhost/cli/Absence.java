package io.meshhost.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meshhost.control.Wire;
import io.meshhost.converge.Host;
import io.meshhost.machine.ExpectedFailure;
import io.meshhost.record.HistoryEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The status of a host that does not answer: whether it is halted, and what the record last says. */
record Absence(Host host, Console console, boolean json) {

    ExitCode tell() {
        Optional<String> halted = host.stateFile("halted").map(String::strip);
        List<HistoryEntry> last = lastEntries();
        console.lines(json ? List.of(json(halted, last)) : text(halted, last));
        return halted.isPresent() ? ExitCode.HALTED : ExitCode.NOT_RUNNING;
    }

    private List<String> text(Optional<String> halted, List<HistoryEntry> last) {
        List<String> lines = new ArrayList<>();
        Paint paint = console.paint();
        lines.add(host.node() + ": "
                + halted.map(reason -> paint.bad("the host is halted") + ": " + reason)
                        .orElse(paint.bad("the host is not running") + "; nothing is being kept as declared"));
        lines.add("");
        lines.add("what the record last says:");
        lines.addAll(HistoryText.lines(last, paint));
        lines.add("");
        lines.add("what to do: start it, with "
                + (host.places().wholeMachine() ? "systemctl start nox-mesh-host or " : "")
                + Invocation.of("run", host.places()));
        return lines;
    }

    private static String json(Optional<String> halted, List<HistoryEntry> last) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("state", halted.isPresent() ? "halted" : "not running").put("ready", false);
        halted.ifPresent(reason -> node.put("reason", reason));
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
