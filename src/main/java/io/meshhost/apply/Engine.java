package io.meshhost.apply;

import io.meshhost.bundle.Bundles;
import io.meshhost.declaration.Declaration;
import io.meshhost.machine.ExpectedFailure;
import io.meshhost.machine.Machine;
import io.meshhost.record.Applied;
import io.meshhost.record.HistoryEntry;
import io.meshhost.record.RecordStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Makes one machine what its declaration says: inspects, plans, carries out, takes away (SPEC 2).
 *
 * <p>One apply at a time: the caller holds the apply lock. Failures of single resources are outcomes;
 * only what keeps the whole apply from taking place is thrown, as an {@link ApplyFailure} or the record's own.
 */
public final class Engine {
    private final Machine machine;
    private final RecordStore record;
    private final Bundles bundles;
    private final Inspection inspection;

    public Engine(Machine machine, Bundles bundles, RecordStore record, List<Kind<?, ?>> kinds) {
        this.machine = machine;
        this.bundles = bundles;
        this.record = record;
        Map<String, Kind<?, ?>> byType = kinds.stream().collect(Collectors.toMap(Kind::type, kind -> kind));
        this.inspection = new Inspection(machine, bundles, record, byType);
    }

    /** What an apply would do now; changes nothing, neither on the machine nor in the record. */
    public Plan plan(Declaration declaration, Options options) {
        Refusals refusals = new Refusals(machine, record);
        refusals.check(declaration, options);
        return prepare(declaration, options, adopting(refusals, options)).plan(declaration);
    }

    /** Does it, and tells how it went, whichever way it went. */
    public Report apply(Declaration declaration, Options options, Run run) {
        Instant at = machine.clock().instant();
        long since = machine.ticker().nanos();
        Refusals refusals = new Refusals(machine, record);
        refusals.check(declaration, options);
        boolean adopting = adopting(refusals, options);
        Prepared prepared = prepare(declaration, options, adopting);
        Work work = work(run);
        if (adopting) {
            record.rebuilding(true);
        }
        List<Outcome> outcomes = executor(prepared, work, run, adopting).carryOut(prepared.items, prepared.claims());
        boolean stopped = run.stopping().getAsBoolean()
                && outcomes.stream().anyMatch(outcome -> outcome.action().equals(Action.SKIPPED.word()));
        List<String> notes = new ArrayList<>(prepared.notes);
        Optional<String> unwritten = Optional.empty();
        if (!stopped) {
            unwritten = unwritten(() -> applied(declaration, adopting));
            unwritten.ifPresent(notes::add);
            KeptBlobs.tidy(declaration, outcomes, record, bundles).ifPresent(notes::add);
        }
        Report report = report(declaration, outcomes, notes, stopped, unwritten.isEmpty());
        long millis = TimeUnit.NANOSECONDS.toMillis(machine.ticker().nanos() - since);
        return unwritten(() -> tellHistory(report, at, run.why(), millis))
                .map(report::unkept)
                .orElse(report);
    }

    /** The machine was changed by then: what cannot be written down any more is told in the report, not instead of it. */
    private static Optional<String> unwritten(Runnable write) {
        try {
            write.run();
            return Optional.empty();
        } catch (ExpectedFailure failure) {
            return Optional.of(failure.sentence());
        }
    }

    private record Prepared(Inspection.Seen seen, List<Item> items, Facts facts, List<String> notes) {
        Claims claims() {
            return seen.claims();
        }

        Plan plan(Declaration declaration) {
            return new Plan(
                    declaration.node(),
                    declaration.serial(),
                    items.stream().map(Item::change).toList(),
                    notes);
        }
    }

    /** A record that is there is not rebuilt, whatever was said; a rebuild that was cut off is, by whoever applies next. */
    private boolean adopting(Refusals refusals, Options options) {
        return record.rebuilding() || (options.rebuildRecord() && refusals.noRecord());
    }

    private Prepared prepare(Declaration declaration, Options options, boolean adopting) {
        Map<String, Applied> rows = record.applied();
        Inspection.Seen seen = inspection.of(declaration, Claims.of(declaration, rows), adopting);
        Facts facts = new Facts(
                        machine.places(),
                        machine.accounts().root(),
                        machine.services().live(),
                        machine.services().name().equals("systemd"))
                .unasked(options.unasked());
        List<Item> items = new Planner(seen, record.owed(), facts, options).plan(declaration);
        return new Prepared(seen, items, facts, Notes.of(declaration, facts));
    }

    private Executor executor(Prepared prepared, Work work, Run run, boolean adopting) {
        Restarts restarts = new Restarts(prepared.items, record.owed().keySet());
        return new Executor(
                work,
                run,
                item -> item.subject()
                        .observe(inspection.sight(item.subject().units()))
                        .plan(item.causes(), prepared.facts),
                new Opening(work, adopting),
                new Closing(work, restarts));
    }

    private Work work(Run run) {
        return new Work(
                machine.files(),
                machine.accounts(),
                machine.commands(),
                machine.services(),
                bundles,
                record,
                machine.places(),
                machine.ticker(),
                run.progress(),
                run.stopping());
    }

    private Report report(
            Declaration declaration, List<Outcome> outcomes, List<String> notes, boolean stopped, boolean written) {
        Map<String, Integer> counts = new HashMap<>();
        outcomes.forEach(outcome -> counts.merge(outcome.action(), 1, Integer::sum));
        Map<String, Integer> summary = new LinkedHashMap<>();
        for (Action action : Action.values()) {
            if (counts.containsKey(action.word())) {
                summary.put(action.word(), counts.get(action.word()));
            }
        }
        List<String> said = new ArrayList<>(notes);
        if (stopped) {
            said.add("stopped before the end; the next apply goes on");
        }
        OptionalLong serial = declaration.serial();
        return new Report(
                !stopped && written && !summary.containsKey(Action.FAILED.word()),
                declaration.node(),
                serial.isPresent() ? serial.getAsLong() : null,
                outcomes,
                summary,
                said);
    }

    /** The record exists from the first apply on, even an empty one: its absence then means that it was lost. */
    private void applied(Declaration declaration, boolean adopting) {
        if (adopting) {
            record.rebuilding(false);
        }
        OptionalLong serial = declaration.serial();
        if (declaration.whole() && serial.isPresent() && !serial.equals(record.serial())) {
            record.serial(serial.getAsLong());
        }
    }

    private void tellHistory(Report report, Instant at, String why, long millis) {
        List<HistoryEntry.Line> lines = new ArrayList<>();
        boolean worthTelling = false;
        for (Outcome outcome : report.outcomes()) {
            if (!outcome.action().equals(Action.UNCHANGED.word())) {
                lines.add(new HistoryEntry.Line(
                        outcome.id(),
                        outcome.type(),
                        outcome.action(),
                        outcome.detail(),
                        Objects.requireNonNullElse(outcome.error(), ""),
                        outcome.millis()));
                worthTelling |= !outcome.action().equals(Action.SKIPPED.word());
            }
        }
        if (worthTelling) {
            Long serial = report.serial();
            record.history(new HistoryEntry(
                    0,
                    at,
                    why,
                    serial == null ? OptionalLong.empty() : OptionalLong.of(serial),
                    report.ok(),
                    millis,
                    lines));
        }
    }
}
