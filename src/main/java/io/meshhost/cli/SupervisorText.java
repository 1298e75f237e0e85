package io.meshhost.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meshhost.control.Wire;
import io.meshhost.converge.Host;
import io.meshhost.launch.SupervisorClient;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the supervisor says of itself, for the status page: asked on its socket, since its disk may be full. */
record SupervisorText(JsonNode said, boolean alive) {

    /** Empty where none was ever there. */
    static Optional<SupervisorText> ask(Host host) {
        Optional<String> live = SupervisorClient.ask(host.places().control());
        return live.or(host.versions()::supervisorNote)
                .filter(text -> text.stripLeading().startsWith("{"))
                .map(text -> new SupervisorText(Wire.tree(text), live.isPresent()));
    }

    /** The host's own status with the supervisor's beside it, as {@code launcher}. */
    String into(String status) {
        return Wire.tree(status) instanceof ObjectNode node && alive
                ? node.set("launcher", said).toString()
                : status;
    }

    List<String> lines(Instant now) {
        List<String> lines = new ArrayList<>();
        if (!alive) {
            return lines;
        }
        lines.add("  supervisor   " + text("state") + " since " + StatusText.when(text("since"), now) + ", pid "
                + said.path("pid").asLong()
                + (said.has("host") ? "; " + text("host") + (said.has("why") ? ", since " + text("why") : "") : ""));
        if (said.path("failures").asInt() > 0) {
            lines.add("  failures     " + said.path("failures").asInt() + " in a row"
                    + (said.has("lastFailure") ? "; " + text("lastFailure") : ""));
        }
        if (said.has("next")) {
            lines.add("  next         at " + text("next") + ": " + text("then"));
        }
        said.path("notes").forEach(note -> lines.add("  note         " + note.asText()));
        return lines;
    }

    private String text(String field) {
        return said.path(field).asText();
    }
}
