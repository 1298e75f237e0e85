package io.meshhost.apply;

import io.meshhost.apply.ProcessProgram.Answer;
import io.meshhost.apply.ProcessSight.Verdict;
import io.meshhost.bundle.Entry;
import io.meshhost.declaration.Resource.EnvValue;
import io.meshhost.declaration.Resource.ProcessResource;
import io.meshhost.machine.services.ProcessSpec;
import io.meshhost.machine.services.Services.UnitFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Works out what a declared process comes to on this machine; changes nothing. */
final class ProcessWanting {
    private static final Duration STEP_TIMEOUT = Duration.ofHours(1);

    private final ProcessDoors doors;
    private final ProcessResource resource;
    private final ProcessHome home;
    private final Clock clock;

    ProcessWanting(ProcessResource resource, ProcessDoors doors, Clock clock) {
        this.clock = clock;
        this.doors = doors;
        this.resource = resource;
        this.home = new ProcessHome(doors.places(), resource.name());
    }

    /**
     * @param entries of the bundle, where known
     * @param size bytes of the bundle, or -1
     */
    Verdict of(String sha256, Optional<List<Entry>> entries, long size) {
        if (resource.run().isEmpty()) {
            return new Verdict.Impossible("cannot run " + resource.name() + ": run is empty; name a program");
        }
        Answer answer = new ProcessProgram(home.tree(), entries, doors.commands())
                .find(resource.run().getFirst());
        return switch (answer) {
            case Answer.None none -> new Verdict.Impossible(none.sentence());
            case Answer.At at -> new Verdict.Wanted(wanted(sha256, entries, size, at.path()));
        };
    }

    private ProcessWanted wanted(String sha256, Optional<List<Entry>> entries, long size, Path program) {
        ProcessSpec spec = spec(program);
        ProcessForm form = ProcessForm.of(resource);
        String how = how(spec, form);
        String want = "sha256:" + sha256 + " " + ProcessDigests.sha256(how.getBytes(StandardCharsets.UTF_8));
        List<UnitFile> files =
                form == ProcessForm.STEP ? List.of() : doors.services().files(spec);
        return new ProcessWanted(sha256, spec, form, how, want, files, entries, size, hints());
    }

    private ProcessSpec spec(Path program) {
        List<String> argv = new ArrayList<>(resource.run());
        argv.set(0, program.toString());
        SortedMap<String, String> plain = values(false);
        SortedMap<String, String> secrets = values(true);
        return new ProcessSpec(
                resource.name(),
                resource.id() + ", a process of mesh-host",
                List.copyOf(argv),
                home.tree(),
                plain,
                secrets,
                secrets.isEmpty() ? Optional.empty() : Optional.of(home.secret()),
                resource.envFiles().stream().map(doors.places()::real).toList(),
                user(),
                resource.schedule(),
                resource.runOnce(),
                resource.runOnce() ? Optional.of(resource.timeout().orElse(STEP_TIMEOUT)) : resource.timeout(),
                resource.limits(),
                resource.sandbox());
    }

    /** Under a scratch root, or without root, a process runs as the caller (SPEC 0): no account is switched to. */
    private Optional<String> user() {
        boolean can = doors.accounts().root() && doors.places().wholeMachine();
        return can ? resource.user() : Optional.empty();
    }

    private SortedMap<String, String> values(boolean secret) {
        SortedMap<String, String> values = new TreeMap<>();
        for (Map.Entry<String, EnvValue> entry : resource.env().entrySet()) {
            if (entry.getValue().secret() == secret) {
                values.put(entry.getKey(), entry.getValue().text());
            }
        }
        return values;
    }

    /**
     * The program's name as declared, not where it was found: what is known of a bundle before and after it is
     * fetched must give one identity, else a second apply would see a change.
     */
    private String how(ProcessSpec spec, ProcessForm form) {
        List<String> lines = new ArrayList<>();
        lines.add("kept as a " + form.word());
        resource.run().forEach(word -> lines.add("run " + quoted(word)));
        spec.environment().forEach((name, value) -> lines.add("env " + name + "=" + quoted(value)));
        spec.secrets().forEach((name, value) -> lines.add("secret " + name + " (keyed digest " + keyed(value) + ")"));
        resource.envFiles().forEach(file -> lines.add("env_file " + quoted(file.toString())));
        resource.user().ifPresent(user -> lines.add("user " + user));
        resource.schedule()
                .ifPresent(schedule -> lines.add("schedule " + schedule.cron().text()
                        + schedule.zone().map(zone -> " in " + zone).orElse("")));
        spec.timeout().ifPresent(limit -> lines.add("timeout " + limit));
        limits(lines);
        lines.add("sandbox " + resource.sandbox());
        return String.join("\n", lines) + "\n";
    }

    private void limits(List<String> lines) {
        ProcessSpec.Limits limits = resource.limits();
        limits.memory().ifPresent(bytes -> lines.add("limit memory " + bytes));
        limits.cpu().ifPresent(cores -> lines.add("limit cpu " + cores));
        limits.tasks().ifPresent(count -> lines.add("limit tasks " + count));
        limits.files().ifPresent(count -> lines.add("limit files " + count));
    }

    /** One line a value, whatever is in it: a newline in a value must not look like another line. */
    private static String quoted(String text) {
        return "\""
                + text.replace("\\", "\\\\")
                        .replace("\"", "\\\"")
                        .replace("\n", "\\n")
                        .replace("\r", "\\r") + "\"";
    }

    private String keyed(String value) {
        return ProcessDigests.hmacSha256(doors.record().secretKey(), value.getBytes(StandardCharsets.UTF_8));
    }

    /** An hour that daylight saving takes away takes the run with it, in systemd as in the built-in supervisor. */
    private List<String> hints() {
        return resource.schedule()
                .flatMap(schedule -> schedule.nextSkipped(ZonedDateTime.ofInstant(clock.instant(), clock.getZone())))
                .map(lost -> List.of("a run falls into the hour lost on " + lost.toLocalDate() + " and is skipped"))
                .orElse(List.of());
    }
}
