package io.meshhost.apply.testing;

import io.meshhost.declaration.Head;
import io.meshhost.declaration.Resource.Bytes;
import io.meshhost.declaration.Resource.EnvValue;
import io.meshhost.declaration.Resource.Health;
import io.meshhost.declaration.Resource.ProcessResource;
import io.meshhost.machine.services.Cron;
import io.meshhost.machine.services.ProcessSpec.Limits;
import io.meshhost.machine.services.ProcessSpec.Sandbox;
import io.meshhost.machine.services.Schedule;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A declared process, one wish after the other. */
public final class ProcessDraft {
    private String id = "demo/web";
    private String name = "web";
    private Bytes bytes;
    private List<String> run = List.of("bin/app");
    private final Map<String, EnvValue> env = new HashMap<>();
    private List<Path> envFiles = List.of();
    private Optional<String> user = Optional.empty();
    private Optional<Schedule> schedule = Optional.empty();
    private boolean once;
    private Optional<Duration> timeout = Optional.empty();
    private Limits limits = Limits.none();
    private Sandbox sandbox = Sandbox.NONE;
    private Optional<Health> health = Optional.empty();
    private Set<String> restartOn = Set.of();
    private Set<String> after = Set.of();

    private ProcessDraft(Bytes bytes) {
        this.bytes = bytes;
    }

    public static ProcessDraft of(String sha256) {
        return new ProcessDraft(new Bytes.Published(URI.create("https://bundles.invalid/" + sha256), sha256));
    }

    public static ProcessDraft of(Bytes bytes) {
        return new ProcessDraft(bytes);
    }

    public ProcessDraft id(String newId) {
        id = newId;
        return this;
    }

    public ProcessDraft named(String newName) {
        name = newName;
        return this;
    }

    public ProcessDraft run(String... words) {
        run = List.of(words);
        return this;
    }

    public ProcessDraft env(String key, String value) {
        env.put(key, new EnvValue(value, false));
        return this;
    }

    public ProcessDraft secret(String key, String value) {
        env.put(key, new EnvValue(value, true));
        return this;
    }

    public ProcessDraft envFile(String path) {
        envFiles = List.of(Path.of(path));
        return this;
    }

    public ProcessDraft as(String account) {
        user = Optional.of(account);
        return this;
    }

    public ProcessDraft at(String cron) {
        schedule = Optional.of(new Schedule(Cron.parse(cron), Optional.empty()));
        return this;
    }

    public ProcessDraft at(String cron, String zone) {
        schedule = Optional.of(new Schedule(Cron.parse(cron), Optional.of(ZoneId.of(zone))));
        return this;
    }

    public ProcessDraft once() {
        once = true;
        return this;
    }

    public ProcessDraft within(Duration limit) {
        timeout = Optional.of(limit);
        return this;
    }

    public ProcessDraft limits(Limits newLimits) {
        limits = newLimits;
        return this;
    }

    public ProcessDraft sandbox(Sandbox newSandbox) {
        sandbox = newSandbox;
        return this;
    }

    public ProcessDraft healthy(Health.Check check) {
        health = Optional.of(new Health(check, Duration.ofSeconds(1), Duration.ofSeconds(5)));
        return this;
    }

    public ProcessDraft healthy(Health.Check check, Duration interval, Duration timeout) {
        health = Optional.of(new Health(check, interval, timeout));
        return this;
    }

    public ProcessDraft restartOn(String... ids) {
        restartOn = Set.of(ids);
        return this;
    }

    public ProcessDraft after(String... ids) {
        after = Set.of(ids);
        return this;
    }

    public ProcessResource build() {
        return new ProcessResource(
                new Head(id, after, restartOn),
                name,
                bytes,
                run,
                Map.copyOf(env),
                envFiles,
                user,
                schedule,
                once,
                timeout,
                limits,
                sandbox,
                health);
    }
}
