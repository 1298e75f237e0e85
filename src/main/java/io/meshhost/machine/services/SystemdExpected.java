package io.meshhost.machine.services;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.meshhost.machine.services.ProcessSpec.Limits;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The D-Bus properties (org.freedesktop.systemd1(5)) that a process's units must have once loaded; pure. */
final class SystemdExpected {
    private SystemdExpected() {}

    static Map<String, JsonNode> service(ProcessSpec spec) {
        Map<String, JsonNode> expected = new LinkedHashMap<>();
        expected.put("Type", TextNode.valueOf(spec.schedule().isEmpty() && !spec.step() ? "exec" : "oneshot"));
        expected.put("ExecStart", texts(UnitSyntax.words(spec.argv()).stream()));
        expected.put(
                "Environment",
                texts(spec.environment().entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .sorted()));
        expected.put(
                "EnvironmentFiles",
                texts(Stream.concat(spec.secretFile().stream(), spec.environmentFiles().stream())
                        .map(file -> UnitSyntax.pattern(file).replace("%%", "%"))));
        expected.put("WorkingDirectory", TextNode.valueOf(spec.directory().toString()));
        expected.put("User", TextNode.valueOf(spec.user().orElse("")));
        limits(expected, spec.limits());
        sandbox(expected, spec);
        return expected;
    }

    static Map<String, JsonNode> timer(String name) {
        return Map.of("Unit", TextNode.valueOf(name + ".service"), "Persistent", BooleanNode.TRUE);
    }

    private static void limits(Map<String, JsonNode> expected, Limits limits) {
        limits.memory().ifPresent(bytes -> expected.put("MemoryMax", LongNode.valueOf(bytes)));
        limits.tasks().ifPresent(tasks -> expected.put("TasksMax", LongNode.valueOf(tasks)));
        limits.files().ifPresent(files -> expected.put("LimitNOFILE", LongNode.valueOf(files)));
        limits.cpu().ifPresent(cores -> {
            String percent = UnitText.percent(cores);
            BigDecimal micros = new BigDecimal(percent.substring(0, percent.length() - 1)).movePointRight(4);
            expected.put("CPUQuotaPerSecUSec", LongNode.valueOf(micros.longValue()));
        });
    }

    /** The directives that are plain switches, and how far the system is write-protected. */
    private static void sandbox(Map<String, JsonNode> expected, ProcessSpec spec) {
        for (String line : UnitText.sandbox(spec)) {
            String name = line.substring(0, line.indexOf('='));
            String value = line.substring(line.indexOf('=') + 1);
            if (name.equals("ProtectSystem") || name.equals("ProtectHome")) {
                expected.put(name, TextNode.valueOf(value));
            } else if (value.equals("yes") && !name.equals("RestrictNamespaces")) {
                expected.put(name, BooleanNode.TRUE);
            }
        }
    }

    /** The parts that matter of what systemd answers, in the shape that is expected here. */
    static JsonNode normal(String property, JsonNode data) {
        return switch (property) {
            case "ExecStart" -> data.size() == 1 ? texts(strings(data.path(0).path(1))) : data;
            case "Environment" -> texts(strings(data).sorted());
            case "EnvironmentFiles" ->
                texts(stream(data).map(file -> file.path(0).asText()));
            default -> data.isIntegralNumber() ? LongNode.valueOf(data.asLong()) : data;
        };
    }

    /** Which word, or which variable, without its value. */
    static String where(String property, JsonNode wanted, JsonNode actual) {
        List<String> expected = strings(wanted).toList();
        List<String> found = strings(actual).toList();
        return switch (property) {
            case "ExecStart" ->
                IntStream.range(0, expected.size())
                        .filter(i -> i >= found.size() || !found.get(i).equals(expected.get(i)))
                        .mapToObj(i -> " (word " + (i + 1) + ")")
                        .findFirst()
                        .orElse("");
            case "Environment" ->
                expected.stream()
                        .filter(assignment -> !found.contains(assignment))
                        .map(assignment -> " (" + assignment.substring(0, assignment.indexOf('=')) + ")")
                        .findFirst()
                        .orElse("");
            default -> "";
        };
    }

    private static Stream<String> strings(JsonNode array) {
        return stream(array).map(JsonNode::asText);
    }

    private static Stream<JsonNode> stream(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }

    private static ArrayNode texts(Stream<String> texts) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        texts.forEach(array::add);
        return array;
    }
}
