package io.meshhost.apply;

import io.meshhost.bundle.Entry;
import io.meshhost.declaration.Resource.Health;
import io.meshhost.declaration.Resource.ProcessResource;
import io.meshhost.machine.services.ProcessSpec;
import io.meshhost.machine.services.ServiceState;
import io.meshhost.machine.services.ServiceState.Active;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The sentences that plans and outcomes of processes are told in; pure. */
final class ProcessWords {
    private static final int SHOWN_DIGITS = 12;

    /** Of fewer characters nothing is hidden by striking them out, and every other word would be struck too. */
    private static final int SHORTEST_SECRET = 4;

    private ProcessWords() {}

    /** How it is kept. */
    static String kept(ProcessWanted wanted, Facts facts) {
        String name = wanted.spec().name();
        return switch (wanted.form()) {
            case STEP -> "run once";
            case SCHEDULE -> "scheduled as " + name + ".timer" + later(facts);
            case DAEMON ->
                facts.live() ? "running as " + name + ".service" : "installed as " + name + ".service" + later(facts);
        };
    }

    /** What a program printed, for reports and the history: a secret that it printed too stays one (SPEC 2). */
    static List<String> withoutSecrets(List<String> lines, ProcessSpec spec) {
        List<String> out = new ArrayList<>(lines);
        spec.secrets()
                .forEach((name, value) -> value.lines()
                        .map(String::strip)
                        .filter(part -> part.length() >= SHORTEST_SECRET)
                        .forEach(part -> out.replaceAll(line -> line.replace(part, "(secret " + name + ")"))));
        return List.copyOf(out);
    }

    static String count(List<Entry> entries) {
        return entries.size() == 1 ? "1 entry" : entries.size() + " entries";
    }

    /** The detail of a process that stood there already when the record was rebuilt. */
    static String adopted(ProcessWanted wanted, Facts facts) {
        String how = wanted.form() == ProcessForm.STEP ? "taken as done" : kept(wanted, facts);
        return wanted.entries().map(entries -> count(entries) + ", ").orElse("") + how
                + ", was so already; kept from now on";
    }

    private static String later(Facts facts) {
        return facts.live() ? "" : ", starts with the host";
    }

    /** The plan's detail; the outcome says the same and adds what was learned. */
    static String sentence(ProcessWanted wanted, ProcessDrift drift, ProcessSight seen, Facts facts) {
        List<String> clauses = new ArrayList<>();
        wanted.entries().ifPresent(entries -> clauses.add(count(entries)));
        clauses.add(kept(wanted, facts));
        drift.reasons().stream().filter(reason -> !reason.equals("new")).forEach(clauses::add);
        retimed(wanted, seen).ifPresent(clauses::add);
        clauses.addAll(hints(wanted, facts));
        return String.join(", ", clauses);
    }

    /**
     * The next time of a changed timer is counted from its last run (systemd.timer(5), Persistent=): when a time
     * of the new schedule has passed since, it is made up for at once.
     */
    private static Optional<String> retimed(ProcessWanted wanted, ProcessSight seen) {
        Optional<String> before = seen.notes().map(ProcessNotes::how).flatMap(ProcessWords::schedule);
        Optional<String> after = schedule(wanted.how());
        return before.isPresent() && after.isPresent() && !before.equals(after)
                ? Optional.of("its timer changes: it also runs now if a time of the new schedule has passed since its"
                        + " last run")
                : Optional.empty();
    }

    private static Optional<String> schedule(String how) {
        return how.lines().filter(line -> line.startsWith("schedule ")).findFirst();
    }

    private static List<String> hints(ProcessWanted wanted, Facts facts) {
        List<String> hints = new ArrayList<>(wanted.hints());
        unenforced(wanted.spec(), facts).ifPresent(hints::add);
        return hints;
    }

    /** What only systemd can hold a process to. */
    private static Optional<String> unenforced(ProcessSpec spec, Facts facts) {
        List<String> loose = new ArrayList<>();
        if (!facts.systemd()) {
            spec.limits().memory().ifPresent(bytes -> loose.add("memory"));
            spec.limits().cpu().ifPresent(cores -> loose.add("cpu"));
            spec.limits().tasks().ifPresent(count -> loose.add("tasks"));
            if (spec.sandbox() != ProcessSpec.Sandbox.NONE) {
                loose.add("sandbox");
            }
        }
        return loose.isEmpty()
                ? Optional.empty()
                : Optional.of("without systemd its " + String.join(", ", loose) + " is not enforced");
    }

    /** How a process stands that is as declared. */
    static String standing(ProcessWanted wanted, ProcessSight seen, Facts facts) {
        List<String> clauses = new ArrayList<>();
        clauses.add(wanted.form() == ProcessForm.STEP ? "done" : kept(wanted, facts));
        trouble(wanted.form(), seen.service()).ifPresent(clauses::add);
        unenforced(wanted.spec(), facts).ifPresent(clauses::add);
        return String.join(", ", clauses);
    }

    /** Unchanged is not the same as well: a run that failed, a daemon that keeps ending. */
    private static Optional<String> trouble(ProcessForm form, ServiceState service) {
        if (form == ProcessForm.SCHEDULE && service.active() == Active.FAILED) {
            return Optional.of("its last run failed (" + service.result() + ")");
        }
        if (form == ProcessForm.DAEMON && service.subState().equals("auto-restart")) {
            return Optional.of(
                    "it keeps ending (" + service.result() + ", restarted " + service.restarts() + " times)");
        }
        return Optional.empty();
    }

    static String shown(ProcessWanted wanted) {
        String digest = "sha256:" + wanted.sha256().substring(0, SHOWN_DIGITS);
        return wanted.size() < 0 ? digest : digest + " (" + wanted.size() + " bytes)";
    }

    /** What is waited for. */
    static String proof(ProcessResource resource, ProcessForm form) {
        if (form == ProcessForm.SCHEDULE) {
            return "its timer is set";
        }
        return resource.health()
                .map(health -> check(health.check()) + ", " + seconds(health) + " at most")
                .orElse("it has stayed up for 2 s");
    }

    static String check(Health.Check check) {
        return switch (check) {
            case Health.Check.Http http -> http.url() + " answers";
            case Health.Check.Socket socket -> socket.path() + " accepts a connection";
            case Health.Check.Command command -> String.join(" ", command.argv()) + " succeeds";
        };
    }

    private static String seconds(Health health) {
        return health.timeout().toSeconds() + " s";
    }
}
