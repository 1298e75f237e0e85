package io.meshhost.machine.services;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.meshhost.machine.Commands;
import io.meshhost.machine.Commands.Command;
import io.meshhost.machine.Commands.Result;
import io.meshhost.machine.MachineFailure;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Asks systemd over D-Bus, where words and values are not quoted, what it understood of a unit.
 *
 * <p>systemd drops an assignment that it cannot read with no more than a line in the journal; the process
 * would run without it. Values are compared and never repeated: the sentences may be logged.
 */
final class SystemdReadBack {
    private static final String BUS = "org.freedesktop.systemd1";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Commands commands;

    SystemdReadBack(Commands commands) {
        this.commands = commands;
    }

    List<String> differences(ProcessSpec spec) {
        List<String> found = new ArrayList<>();
        String service = spec.name() + ".service";
        if (load(service, found)) {
            Map<String, JsonNode> expected = SystemdExpected.service(spec);
            compare(service, "Service", expected, found);
        }
        spec.schedule().ifPresent(schedule -> timer(spec.name(), schedule, found));
        return List.copyOf(found);
    }

    /** Whether it could be loaded; a unit with a fatal fault has nothing to compare. */
    private boolean load(String unit, List<String> found) {
        Map<String, String> unitState = SystemdShow.properties(
                commands.mustRun(Command.of("systemctl", "show", "--property=LoadState,LoadError", "--", unit))
                        .out());
        String state = unitState.getOrDefault("LoadState", "");
        if (!state.equals("loaded")) {
            found.add(unit + ": systemd calls it " + state + " " + unitState.getOrDefault("LoadError", ""));
        }
        return state.equals("loaded");
    }

    private void timer(String name, Schedule schedule, List<String> found) {
        String unit = name + ".timer";
        if (load(unit, found)) {
            compare(unit, "Timer", SystemdExpected.timer(name), found);
            JsonNode lines =
                    properties(unit, "Timer", List.of("TimersCalendar")).get("TimersCalendar");
            // Each line that cannot be read is dropped. The spelling is not compared: systemd has its own.
            if (lines != null && lines.size() != schedule.calendar().size()) {
                found.add(unit + ": OnCalendar= was not understood");
            }
        }
    }

    private void compare(String unit, String kind, Map<String, JsonNode> expected, List<String> found) {
        Map<String, JsonNode> actual = properties(unit, kind, List.copyOf(expected.keySet()));
        actual.forEach((property, data) -> {
            JsonNode wanted = expected.get(property);
            if (wanted != null && !SystemdExpected.normal(property, data).equals(wanted)) {
                found.add(unit + ": " + property + "= was not understood as it was meant"
                        + SystemdExpected.where(property, wanted, SystemdExpected.normal(property, data)));
            }
        });
    }

    /** Nothing where there is no message bus to ask: a minimal machine has a systemd and no D-Bus. */
    private Map<String, JsonNode> properties(String unit, String kind, List<String> names) {
        List<String> argv = Stream.concat(
                        Stream.of("busctl", "--json=short", "get-property", BUS, path(unit), BUS + "." + kind),
                        names.stream())
                .toList();
        Result result = commands.run(Command.of(argv.toArray(String[]::new)));
        Map<String, JsonNode> properties = new LinkedHashMap<>();
        if (result.ok()) {
            Iterator<String> lines = result.out().lines().iterator();
            names.forEach(name -> properties.put(name, read(lines.hasNext() ? lines.next() : "")));
        }
        return properties;
    }

    private static JsonNode read(String line) {
        try {
            return JSON.readTree(line).path("data");
        } catch (JsonProcessingException e) {
            throw new MachineFailure("cannot ask systemd: busctl answered what is no JSON; see busctl status", e);
        }
    }

    /** The object of a unit: what is neither a letter nor a digit is written in hex (sd_bus_path_encode(3)). */
    private static String path(String unit) {
        StringBuilder out = new StringBuilder("/org/freedesktop/systemd1/unit/");
        byte[] bytes = unit.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < bytes.length; i++) {
            char c = (char) (bytes[i] & 0xff);
            boolean digit = c >= '0' && c <= '9';
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            out.append(letter || (digit && i > 0) ? String.valueOf(c) : String.format("_%02x", (int) c));
        }
        return out.toString();
    }
}
