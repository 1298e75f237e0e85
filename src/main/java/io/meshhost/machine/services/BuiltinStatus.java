package io.meshhost.machine.services;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meshhost.machine.services.ServiceState.Active;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code running.json}: what the supervisor runs, written before a process is started and after, so that a host
 * that comes later finds what an earlier one left, and a one-shot command can say how it stands.
 *
 * @param boot kernel's name of this boot: pids and start times mean nothing in another
 */
record BuiltinStatus(int hostPid, long hostStarted, String boot, List<Unit> units) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * @param mark of the present run; empty: nothing of it can be there
     * @param pid 0 while it is not known
     * @param started field 22 of /proc/pid/stat
     */
    record Unit(
            String unit,
            String mark,
            int pid,
            long started,
            Active active,
            String subState,
            String result,
            int restarts) {}

    String json() {
        ObjectNode out = JSON.createObjectNode();
        out.putObject("host").put("pid", hostPid).put("started", hostStarted);
        out.put("boot", boot);
        ArrayNode list = out.putArray("units");
        for (Unit unit : units) {
            list.addObject()
                    .put("unit", unit.unit())
                    .put("mark", unit.mark())
                    .put("pid", unit.pid())
                    .put("started", unit.started())
                    .put("active", unit.active().name())
                    .put("sub", unit.subState())
                    .put("result", unit.result())
                    .put("restarts", unit.restarts());
        }
        return out.toPrettyString() + "\n";
    }

    /** Empty for a text that is damaged: nothing can be known from it. */
    static Optional<BuiltinStatus> parse(String text) {
        try {
            JsonNode in = JSON.readTree(text);
            List<Unit> units = new ArrayList<>();
            for (JsonNode unit : in.required("units")) {
                units.add(new Unit(
                        unit.required("unit").asText(),
                        unit.required("mark").asText(),
                        unit.required("pid").asInt(),
                        unit.required("started").asLong(),
                        Active.valueOf(unit.required("active").asText()),
                        unit.required("sub").asText(),
                        unit.required("result").asText(),
                        unit.required("restarts").asInt()));
            }
            JsonNode host = in.required("host");
            return Optional.of(new BuiltinStatus(
                    host.required("pid").asInt(),
                    host.required("started").asLong(),
                    in.required("boot").asText(),
                    List.copyOf(units)));
        } catch (JsonProcessingException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Whether the host that wrote this is still there. */
    boolean alive(ProcessTable table) {
        return boot.equals(table.bootId())
                && table.entry(hostPid)
                        .filter(entry -> entry.started() == hostStarted && !entry.dead())
                        .isPresent();
    }
}
