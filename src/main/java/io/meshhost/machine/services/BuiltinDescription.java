package io.meshhost.machine.services;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.services.ProcessSpec.Limits;
import io.meshhost.machine.services.ProcessSpec.Sandbox;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.StreamSupport;

/**
 * A process as JSON text and back: what a unit file is to systemd. A field that says nothing is left out, so
 * that a diff shows what a person declared. Secrets are not in it, only the file that they are in.
 */
final class BuiltinDescription {
    private static final String HEADER =
            "Written by mesh-host from the declaration; a change made here is undone by the next apply.";
    private static final ObjectMapper JSON = new ObjectMapper();

    private BuiltinDescription() {}

    /** {@code NAME.service.json}. */
    static String service(ProcessSpec spec) {
        ObjectNode out = JSON.createObjectNode();
        out.put("comment", HEADER);
        out.put("name", spec.name());
        out.put("description", spec.description());
        words(out.putArray("run"), spec.argv());
        out.put("directory", spec.directory().toString());
        if (!spec.environment().isEmpty()) {
            ObjectNode variables = out.putObject("env");
            spec.environment().forEach(variables::put);
        }
        spec.secretFile().ifPresent(file -> out.put("secretFile", file.toString()));
        if (!spec.environmentFiles().isEmpty()) {
            words(
                    out.putArray("envFiles"),
                    spec.environmentFiles().stream().map(Path::toString).toList());
        }
        spec.user().ifPresent(user -> out.put("user", user));
        spec.timeout().ifPresent(timeout -> out.put("timeout", timeout.toString()));
        limits(out, spec.limits());
        if (spec.sandbox() != Sandbox.NONE) {
            out.put("sandbox", spec.sandbox().name());
        }
        return text(out);
    }

    /** {@code NAME.timer.json}. */
    static String timer(ProcessSpec spec, Schedule schedule) {
        ObjectNode out = JSON.createObjectNode();
        out.put("comment", HEADER);
        out.put("starts", BuiltinPlaces.service(spec.name()));
        out.put("schedule", schedule.cron().text());
        schedule.zone().ifPresent(zone -> out.put("timezone", zone.getId()));
        out.put("catchUpOnce", true);
        return text(out);
    }

    /**
     * @param timer the text of the timer; empty for a daemon
     * @param path of the service's description, named in failures
     * @return without the values of secrets
     * @throws MachineFailure when it is damaged: somebody else wrote there
     */
    static ProcessSpec read(String service, Optional<String> timer, Path path) {
        try {
            return spec(JSON.readTree(service), timer.isPresent() ? schedule(JSON.readTree(timer.get())) : null);
        } catch (JsonProcessingException | RuntimeException e) {
            throw new MachineFailure(
                    "cannot read " + path + ": it is not a description that the host wrote; apply again to renew it",
                    e);
        }
    }

    private static ProcessSpec spec(JsonNode in, @org.jspecify.annotations.Nullable Schedule schedule) {
        SortedMap<String, String> environment = new TreeMap<>();
        in.path("env")
                .properties()
                .forEach(entry ->
                        environment.put(entry.getKey(), entry.getValue().textValue()));
        return new ProcessSpec(
                in.required("name").textValue(),
                in.required("description").textValue(),
                words(in.required("run")),
                Path.of(in.required("directory").textValue()),
                environment,
                new TreeMap<>(),
                text(in, "secretFile").map(Path::of),
                words(in.path("envFiles")).stream().map(Path::of).toList(),
                text(in, "user"),
                Optional.ofNullable(schedule),
                false,
                text(in, "timeout").map(Duration::parse),
                limits(in.path("limits")),
                text(in, "sandbox").map(Sandbox::valueOf).orElse(Sandbox.NONE));
    }

    private static Schedule schedule(JsonNode in) {
        return new Schedule(
                Cron.parse(in.required("schedule").textValue()),
                text(in, "timezone").map(ZoneId::of));
    }

    private static void limits(ObjectNode out, Limits limits) {
        ObjectNode node = JSON.createObjectNode();
        limits.memory().ifPresent(bytes -> node.put("memory", bytes));
        limits.cpu().ifPresent(cores -> node.put("cpu", cores));
        limits.tasks().ifPresent(count -> node.put("tasks", count));
        limits.files().ifPresent(count -> node.put("files", count));
        if (!node.isEmpty()) {
            out.set("limits", node);
        }
    }

    private static Limits limits(JsonNode in) {
        JsonNode cpu = in.path("cpu");
        return new Limits(
                number(in, "memory"),
                cpu.isNumber() ? OptionalDouble.of(cpu.doubleValue()) : OptionalDouble.empty(),
                number(in, "tasks"),
                number(in, "files"));
    }

    private static OptionalLong number(JsonNode in, String field) {
        JsonNode found = in.path(field);
        return found.isNumber() ? OptionalLong.of(found.longValue()) : OptionalLong.empty();
    }

    private static Optional<String> text(JsonNode in, String field) {
        return Optional.ofNullable(in.path(field).textValue());
    }

    private static void words(ArrayNode out, List<String> words) {
        words.forEach(out::add);
    }

    private static List<String> words(JsonNode in) {
        return new ArrayList<>(StreamSupport.stream(in.spliterator(), false)
                .map(JsonNode::textValue)
                .toList());
    }

    private static String text(ObjectNode node) {
        return node.toPrettyString() + "\n";
    }

    /** What of a process its description can hold: all but the values of its secrets. */
    static ProcessSpec visible(ProcessSpec spec) {
        return new ProcessSpec(
                spec.name(),
                spec.description(),
                spec.argv(),
                spec.directory(),
                spec.environment(),
                new TreeMap<>(),
                spec.secretFile(),
                spec.environmentFiles(),
                spec.user(),
                spec.schedule(),
                false,
                spec.timeout(),
                spec.limits(),
                spec.sandbox());
    }
}
