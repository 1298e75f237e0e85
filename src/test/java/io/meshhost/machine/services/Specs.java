package io.meshhost.machine.services;

import io.meshhost.machine.services.ProcessSpec.Limits;
import io.meshhost.machine.services.ProcessSpec.Sandbox;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Process specifications for tests: a plain daemon, changed field by field. */
record Specs(ProcessSpec spec) {
    static Specs daemon(String name, String... argv) {
        return new Specs(new ProcessSpec(
                name,
                "the " + name + " process",
                List.of(argv),
                Path.of("/"),
                new TreeMap<>(),
                new TreeMap<>(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                false,
                Optional.empty(),
                Limits.none(),
                Sandbox.NONE));
    }

    Specs in(Path directory) {
        return of(directory, spec.environment(), spec.schedule(), spec.step(), spec.timeout());
    }

    Specs env(Map<String, String> environment) {
        return of(spec.directory(), new TreeMap<>(environment), spec.schedule(), spec.step(), spec.timeout());
    }

    Specs at(String cron) {
        Schedule schedule = new Schedule(Cron.parse(cron), Optional.empty());
        return of(spec.directory(), spec.environment(), Optional.of(schedule), false, spec.timeout());
    }

    Specs at(Schedule schedule) {
        return of(spec.directory(), spec.environment(), Optional.of(schedule), false, spec.timeout());
    }

    Specs step() {
        return of(spec.directory(), spec.environment(), Optional.empty(), true, spec.timeout());
    }

    Specs within(Duration timeout) {
        return of(spec.directory(), spec.environment(), spec.schedule(), spec.step(), Optional.of(timeout));
    }

    Specs described(String description) {
        return of(description, spec.user(), spec.limits(), spec.sandbox());
    }

    Specs as(String user) {
        return of(spec.description(), Optional.of(user), spec.limits(), spec.sandbox());
    }

    Specs limited(Limits limits) {
        return of(spec.description(), spec.user(), limits, spec.sandbox());
    }

    Specs fenced(Sandbox sandbox) {
        return of(spec.description(), spec.user(), spec.limits(), sandbox);
    }

    Specs secret(Path file, Map<String, String> secrets, Path... files) {
        return new Specs(new ProcessSpec(
                spec.name(),
                spec.description(),
                spec.argv(),
                spec.directory(),
                spec.environment(),
                new TreeMap<>(secrets),
                Optional.of(file),
                List.of(files),
                spec.user(),
                spec.schedule(),
                spec.step(),
                spec.timeout(),
                spec.limits(),
                spec.sandbox()));
    }

    private Specs of(
            Path directory,
            SortedMap<String, String> environment,
            Optional<Schedule> schedule,
            boolean step,
            Optional<Duration> timeout) {
        return new Specs(new ProcessSpec(
                spec.name(),
                spec.description(),
                spec.argv(),
                directory,
                environment,
                spec.secrets(),
                spec.secretFile(),
                spec.environmentFiles(),
                spec.user(),
                schedule,
                step,
                timeout,
                spec.limits(),
                spec.sandbox()));
    }

    private Specs of(String description, Optional<String> user, Limits limits, Sandbox sandbox) {
        return new Specs(new ProcessSpec(
                spec.name(),
                description,
                spec.argv(),
                spec.directory(),
                spec.environment(),
                spec.secrets(),
                spec.secretFile(),
                spec.environmentFiles(),
                user,
                spec.schedule(),
                spec.step(),
                spec.timeout(),
                limits,
                sandbox));
    }
}
