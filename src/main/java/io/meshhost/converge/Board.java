package io.meshhost.converge;

import io.meshhost.apply.Outcome;
import io.meshhost.apply.Report;
import io.meshhost.converge.HostStatus.State;
import io.meshhost.declaration.Fault;
import io.meshhost.machine.Progress;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What is known of the host, written by the pass in hand and read by whoever asks. The lock is held for copies only. */
public final class Board implements Progress {
    /**
     * What does not change while the host runs.
     *
     * @param declaration where the declaration is looked for
     * @param complaints what is wrong with the settings
     */
    public record Identity(
            String node, String version, long pid, String supervisor, String declaration, List<String> complaints) {}

    private final Clock clock;
    private final Identity identity;
    private final BooleanSupplier beingWritten;
    private final PassLog log = new PassLog();
    private final Instant since;

    private State state = State.STARTING;
    private Instant stateSince;
    private HostStatus.Declared declared;
    private Optional<HostStatus.Work> work = Optional.empty();
    private Instant workSince;
    private Optional<HostStatus.Last> last = Optional.empty();
    private Optional<HostStatus.Drift> drift = Optional.empty();
    private List<Outcome> resources = List.of();
    private long reconciles;
    private long signs;

    /**
     * @param beingWritten whether somebody is writing the declaration now
     */
    public Board(Clock clock, Identity identity, BooleanSupplier beingWritten) {
        this.clock = clock;
        this.identity = identity;
        this.beingWritten = beingWritten;
        this.since = clock.instant();
        this.stateSince = since;
        this.workSince = since;
        this.declared = new HostStatus.Declared(identity.declaration(), null, null, List.of(), false);
    }

    synchronized void begins(List<String> why) {
        signs++;
        workSince = clock.instant();
        work = Optional.of(new HostStatus.Work(why, text(workSince), "looking", 0, -1));
    }

    synchronized void declaration(DeclarationSource.Known known) {
        declared = switch (known) {
            case DeclarationSource.Known.Good good ->
                new HostStatus.Declared(
                        good.file().toString(),
                        good.declaration().serial().isPresent()
                                ? good.declaration().serial().getAsLong()
                                : null,
                        null,
                        good.warnings(),
                        false);
            case DeclarationSource.Known.Bad bad ->
                new HostStatus.Declared(bad.file(), null, bad.sentence(), bad.faults(), false);
        };
    }

    @Override
    public synchronized void at(String what, long done, long total) {
        signs++;
        work = work.map(now -> new HostStatus.Work(now.why(), now.since(), what, done, total));
    }

    /** Grows with everything that is done: what does not grow for long hangs. */
    synchronized long signs() {
        return signs;
    }

    /** An outcome that is on disk. */
    void outcome(Outcome outcome) {
        at(outcome.id(), -1, -1);
    }

    /**
     * @param expected false: what changed had changed by itself, and is told as drift
     */
    void ends(Ended ended, boolean expected) {
        note(ended, expected);
        log.tell(ended, expected);
    }

    /** The step in hand, for a sentence. */
    synchronized String doing() {
        return work.map(now -> now.what() + " since " + now.since()).orElse("it is ending");
    }

    /** What a stop waits for, for the end of a sentence; empty: nothing. */
    synchronized String waiting() {
        return work.map(now -> "; it finishes first what it is at: " + now.what())
                .orElse("");
    }

    /** A pass could not begin since the one before it does not end: that one's work goes on being shown. */
    void hangs(Ended.Failed failed) {
        synchronized (this) {
            Instant now = clock.instant();
            last = Optional.of(nothing(List.of("the time of a reconcile is over"), now, 0, failed.sentence()));
            become(State.FAILED, now);
        }
        log.tell(failed, true);
    }

    private synchronized void note(Ended ended, boolean expected) {
        Instant now = clock.instant();
        List<String> why = work.map(HostStatus.Work::why).orElse(List.of());
        long millis = Duration.between(workSince, now).toMillis();
        work = Optional.empty();
        reconciles++;
        switch (ended) {
            case Ended.Applied(Report report) -> {
                HostStatus.Last pass = last(why, now, millis, report);
                last = Optional.of(pass);
                resources = report.outcomes();
                if (!expected && !pass.changed().isEmpty()) {
                    drift = Optional.of(new HostStatus.Drift(text(now), pass.changed()));
                }
                become(report.ok() ? State.WELL : State.FAILED, now);
            }
            case Ended.Refused(String sentence, List<Fault> faults) -> {
                last = Optional.of(nothing(why, now, millis, sentence));
                become(State.REFUSED, now);
            }
            case Ended.Failed(String sentence) -> {
                last = Optional.of(nothing(why, now, millis, sentence));
                become(State.FAILED, now);
            }
        }
    }

    private void become(State next, Instant now) {
        if (state != State.STOPPING && state != next) {
            state = next;
            stateSince = now;
        }
    }

    synchronized void stopping() {
        become(State.STOPPING, clock.instant());
    }

    /** How many reconciles have ended, whichever way: ready once it is more than 0. */
    public synchronized long reconciles() {
        return reconciles;
    }

    /** The outcomes of the last apply, one a resource. */
    public synchronized List<Outcome> resources() {
        return resources;
    }

    public HostStatus status() {
        boolean writing = beingWritten.getAsBoolean();
        synchronized (this) {
            return new HostStatus(
                    state.word(),
                    reconciles > 0,
                    identity.node(),
                    identity.version(),
                    identity.pid(),
                    text(since),
                    text(stateSince),
                    identity.supervisor(),
                    new HostStatus.Declared(
                            declared.file(), declared.serial(), declared.refused(), declared.faults(), writing),
                    or(work),
                    or(last),
                    or(drift),
                    reconciles,
                    identity.complaints());
        }
    }

    private static HostStatus.Last last(List<String> why, Instant at, long millis, Report report) {
        return new HostStatus.Last(
                why,
                text(at),
                millis,
                report.ok(),
                null,
                report.summary(),
                report.outcomes().stream().filter(PassLog::changed).collect(Collectors.toUnmodifiableList()),
                report.outcomes().stream().filter(PassLog::failed).collect(Collectors.toUnmodifiableList()),
                report.notes());
    }

    private static HostStatus.Last nothing(List<String> why, Instant at, long millis, String error) {
        return new HostStatus.Last(why, text(at), millis, false, error, Map.of(), List.of(), List.of(), List.of());
    }

    private static String text(Instant at) {
        return at.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static <T> @Nullable T or(Optional<T> value) {
        return value.orElse(null);
    }
}
