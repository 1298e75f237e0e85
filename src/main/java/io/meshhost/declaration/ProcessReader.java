package io.meshhost.declaration;

import io.meshhost.declaration.Resource.EnvValue;
import io.meshhost.declaration.Resource.Health;
import io.meshhost.declaration.Resource.ProcessResource;
import io.meshhost.machine.services.Cron;
import io.meshhost.machine.services.ProcessSpec;
import io.meshhost.machine.services.Schedule;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads a {@code process}. */
final class ProcessReader {
    static final String RESERVED = "nox-mesh-host";

    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9_.-]{0,63}");
    private static final Pattern SUFFIXED =
            Pattern.compile(".*\\.(service|timer|socket|target|path|mount|slice|scope)");

    private static final Duration STEP_TIMEOUT = Duration.ofHours(1);

    private ProcessReader() {}

    static Resource process(Head head, Fields fields, Scope scope) {
        boolean runOnce = fields.flag("run_once").orElse(false);
        Optional<Schedule> schedule = schedule(fields, scope.faults());
        Optional<Duration> timeout = Values.duration(fields, "timeout", scope.faults());
        if (fields.has("timeout") && !runOnce && !fields.has("schedule")) {
            scope.faults()
                    .warn(
                            fields.node("timeout").map(Node::place).orElse(fields.place()),
                            "timeout has no effect on a daemon; it is for a step or a scheduled run");
        }
        return new ProcessResource(
                head,
                name(head, fields, scope),
                Sources.published(fields, scope),
                fields.texts("run"),
                env(fields, scope.faults()),
                envFiles(fields, scope),
                fields.text("user"),
                schedule,
                runOnce,
                runOnce ? Optional.of(timeout.orElse(STEP_TIMEOUT)) : timeout,
                limits(fields, scope.faults()),
                sandbox(fields),
                fields.inner("health").flatMap(health -> health(health, scope)));
    }

    private static String name(Head head, Fields fields, Scope scope) {
        Optional<String> name = scope.replaced(fields, "name");
        if (name.isEmpty()) {
            return "";
        }
        Place place = fields.node("name").map(Node::place).orElse(fields.place());
        String wrong = wrongInName(name.get());
        if (!wrong.isEmpty()) {
            scope.faults().add(place, "name " + Words.quoted(name.get()) + " " + wrong);
        } else {
            // Both units are its own, scheduled or not: it can be changed from one to the other at any time.
            boolean own = scope.claims().claim("unit", name.get() + ".service", head.id(), place);
            if (own) {
                scope.claims().claim("unit", name.get() + ".timer", head.id(), place);
            }
        }
        return name.get();
    }

    private static String wrongInName(String name) {
        if (!NAME.matcher(name).matches()) {
            return "is not a process's; write " + Shapes.PROCESS_NAME.want();
        }
        if (SUFFIXED.matcher(name).matches()) {
            return "ends as a unit does; write it without the suffix";
        }
        return name.equals(RESERVED) ? "is reserved for the host; choose another" : "";
    }

    private static Map<String, EnvValue> env(Fields fields, Faults faults) {
        Map<String, EnvValue> env = new LinkedHashMap<>();
        fields.entries("env").forEach((name, entry) -> {
            if (entry.value() instanceof Node.Scalar scalar) {
                if (Words.bytes(name + "=" + scalar.text()) > Shapes.LONGEST_WORD) {
                    faults.add(
                            scalar.place(),
                            Words.quoted(name) + " with its name is longer than " + Shapes.LONGEST_WORD
                                    + Words.UNTAKEN);
                }
                env.put(name, new EnvValue(scalar.text(), false));
            } else if (entry.value() instanceof Node.Mapping secret) {
                new Fields(secret, Set.of()).text("secret").ifPresent(text -> env.put(name, new EnvValue(text, true)));
            }
        });
        return Collections.unmodifiableMap(env);
    }

    private static List<Path> envFiles(Fields fields, Scope scope) {
        List<Path> files = new ArrayList<>();
        for (Node.Scalar scalar : fields.scalars("env_file")) {
            Values.path(scalar, "env_file", scope).ifPresent(files::add);
        }
        return List.copyOf(files);
    }

    private static Optional<Schedule> schedule(Fields fields, Faults faults) {
        Optional<ZoneId> zone = fields.scalar("timezone").flatMap(scalar -> Values.zone(scalar, faults));
        Optional<Node.Scalar> expression = fields.scalar("schedule");
        if (expression.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Schedule(Cron.parse(expression.get().text()), zone));
        } catch (IllegalArgumentException e) {
            faults.add(expression.get().place(), String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private static ProcessSpec.Limits limits(Fields fields, Faults faults) {
        Optional<Fields> limits = fields.inner("limits");
        if (limits.isEmpty()) {
            return ProcessSpec.Limits.none();
        }
        Fields given = limits.get();
        Optional<Long> memory = Values.size(given, "memory", faults);
        Optional<Double> cpu = given.node("cpu").flatMap(Checker::number).map(BigDecimal::doubleValue);
        return new ProcessSpec.Limits(
                memory.isPresent() ? OptionalLong.of(memory.get()) : OptionalLong.empty(),
                cpu.isPresent() ? OptionalDouble.of(cpu.get()) : OptionalDouble.empty(),
                number(given.whole("tasks")),
                number(given.whole("files")));
    }

    private static OptionalLong number(OptionalInt number) {
        return number.isPresent() ? OptionalLong.of(number.getAsInt()) : OptionalLong.empty();
    }

    private static ProcessSpec.Sandbox sandbox(Fields fields) {
        return switch (fields.text("sandbox").orElse("none")) {
            case "standard" -> ProcessSpec.Sandbox.STANDARD;
            case "strict" -> ProcessSpec.Sandbox.STRICT;
            default -> ProcessSpec.Sandbox.NONE;
        };
    }

    private static Optional<Health> health(Fields fields, Scope scope) {
        Duration interval = Values.duration(fields, "interval", scope.faults()).orElse(Duration.ofSeconds(2));
        Duration timeout = Values.duration(fields, "timeout", scope.faults()).orElse(Duration.ofSeconds(60));
        return check(fields, scope).map(check -> new Health(check, interval, timeout));
    }

    private static Optional<Health.Check> check(Fields fields, Scope scope) {
        if (fields.has("command")) {
            return Optional.of(new Health.Check.Command(fields.texts("command")));
        }
        if (fields.has("socket")) {
            return Values.path(fields, "socket", scope).map(Health.Check.Socket::new);
        }
        return fields.scalar("http")
                .flatMap(scalar -> url(scalar, scope.faults()))
                .map(Health.Check.Http::new);
    }

    private static Optional<URI> url(Node.Scalar scalar, Faults faults) {
        try {
            URI uri = new URI(scalar.text());
            if (uri.getHost() != null) {
                return Optional.of(uri);
            }
        } catch (URISyntaxException e) {
            // Said below, as for an address without a host.
        }
        faults.add(
                scalar.place(),
                "http " + Words.quoted(scalar.text()) + " is not an address; write " + Shapes.URL.want());
        return Optional.empty();
    }
}
