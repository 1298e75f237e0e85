package io.meshhost.control;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meshhost.apply.Options;
import io.meshhost.apply.Outcome;
import io.meshhost.apply.Report;
import io.meshhost.converge.Ended;
import io.meshhost.converge.HostStatus;
import io.meshhost.declaration.Fault;
import io.meshhost.record.HistoryEntry;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;

/**
 * What goes over the control socket and what {@code --json} prints: one shape for both. The records that Jackson
 * must see in a native executable are listed here and nowhere else.
 */
@RegisterForReflection(
        targets = {
            HostStatus.class,
            HostStatus.Declared.class,
            HostStatus.Work.class,
            HostStatus.Last.class,
            HostStatus.Drift.class,
            Fault.class,
            Outcome.class,
            Report.class
        })
public final class Wire {
    private static final ObjectMapper MAPPER = JsonMapper.builder().build();

    private Wire() {}

    /** Any of the records listed above, or a list of them, as one line of JSON. */
    public static String json(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a record that cannot be written as JSON", e);
        }
    }

    /** The reverse of {@link #json}. */
    public static <T> T read(String json, Class<T> type) {
        try {
            return MAPPER.readValue(json, type);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the host answered something else than this program expects", e);
        }
    }

    /** The tree of an answer. */
    public static JsonNode tree(String json) {
        try {
            return MAPPER.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the host answered something else than JSON", e);
        }
    }

    /** {@code {"ok", "faults": [{file, line, column, pointer, message}]}}, with {@code "warning": true} on warnings. */
    public static String faults(boolean ok, List<Fault> faults) {
        ObjectNode node = MAPPER.createObjectNode().put("ok", ok);
        node.set("faults", faultArray(faults));
        return node.toString();
    }

    /** {@code plan --json}: a report whose outcomes are called changes. */
    public static String plan(Report report) {
        ObjectNode from = MAPPER.valueToTree(report);
        ObjectNode to = MAPPER.createObjectNode();
        from.properties()
                .forEach(field ->
                        to.set(field.getKey().equals("outcomes") ? "changes" : field.getKey(), field.getValue()));
        return to.toString();
    }

    static String refused(Ended.Refused refused) {
        ObjectNode node = MAPPER.createObjectNode().put("ok", false).put("error", refused.sentence());
        node.set("faults", faultArray(refused.faults()));
        return node.toString();
    }

    static String failed(Ended.Failed failed) {
        return MAPPER.createObjectNode()
                .put("ok", false)
                .put("error", failed.sentence())
                .toString();
    }

    private static ArrayNode faultArray(List<Fault> faults) {
        ArrayNode array = MAPPER.createArrayNode();
        for (Fault fault : faults) {
            ObjectNode node = array.addObject()
                    .put("file", fault.file())
                    .put("line", fault.line())
                    .put("column", fault.column())
                    .put("pointer", fault.pointer())
                    .put("message", fault.message());
            if (fault.warning()) {
                node.put("warning", true);
            }
        }
        return array;
    }

    /** {@code [{number, at, why, serial, ok, millis, lines: [{id, type, action, detail, error, millis}]}]}. */
    public static String history(List<HistoryEntry> entries) {
        ArrayNode array = MAPPER.createArrayNode();
        for (HistoryEntry entry : entries) {
            ObjectNode node = array.addObject()
                    .put("number", entry.number())
                    .put("at", entry.at().toString())
                    .put("why", entry.why());
            entry.serial().ifPresent(serial -> node.put("serial", serial));
            node.put("ok", entry.ok()).put("millis", entry.millis());
            ArrayNode lines = node.putArray("lines");
            for (HistoryEntry.Line line : entry.lines()) {
                ObjectNode at = lines.addObject()
                        .put("id", line.id())
                        .put("type", line.type())
                        .put("action", line.action())
                        .put("detail", line.detail());
                if (!line.error().isEmpty()) {
                    at.put("error", line.error());
                }
                at.put("millis", line.millis());
            }
        }
        return array.toString();
    }

    /** The body of {@code POST /v1/apply}. */
    public static String options(Options options) {
        return MAPPER.createObjectNode()
                .put("force", options.force())
                .put("rebuildRecord", options.rebuildRecord())
                .toString();
    }

    static Options options(String body) {
        JsonNode node = body.isBlank() ? MAPPER.createObjectNode() : tree(body);
        return new Options(
                node.path("force").asBoolean(false), node.path("rebuildRecord").asBoolean(false));
    }
}
