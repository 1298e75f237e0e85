package io.meshhost.machine.services;

import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One schedule: fires when its next time by the wall clock has come, catches up once what was missed while the
 * host was off (Persistent=true of systemd.timer(5)), and looks at the clock at least once a minute, since a
 * clock that is set moves no timer that counts time.
 */
final class BuiltinTimer {
    /** A stepped clock is noticed within this. */
    private static final Duration GLANCE = Duration.ofMinutes(1);

    private static final Duration LEAST = Duration.ofMillis(1);

    private final String name;
    private final BuiltinStore store;
    private final Ticker ticker;
    private final InstantSource clock;
    private final ZoneId machineZone;
    private final Executor worker;
    private final Runnable fire;
    private final Consumer<String> notes;
    private @Nullable Armed armed;
    private long starts;

    /**
     * @param fire starts the process; must not wait for it
     */
    BuiltinTimer(String name, BuiltinStore store, BuiltinMeans means, Executor worker, Runnable fire) {
        this.name = name;
        this.store = store;
        this.ticker = means.ticker();
        this.clock = means.clock();
        this.machineZone = means.settings().zone();
        this.notes = means.notes();
        this.worker = worker;
        this.fire = fire;
    }

    /**
     * The schedule in force and the moment that the next run is counted from.
     *
     * @param number of the start: looks of an earlier one come to nothing, so there is one chain of looks only
     */
    private record Armed(long number, Schedule schedule, Instant last) {
        private Armed since(Instant when) {
            return new Armed(number, schedule, when);
        }
    }

    /** What a look at the clock comes to. */
    sealed interface Verdict {}

    record Fire() implements Verdict {}

    record Look(Duration after) implements Verdict {}

    /** Pure: whether the first run after {@code last} has come. */
    static Verdict decide(Schedule schedule, Instant last, Instant now, ZoneId machineZone) {
        // A clock that was set back: what "fired in the future" must not hold the schedule up until then.
        Instant from = last.isAfter(now) ? now : last;
        ZoneId zone = schedule.zone().orElse(machineZone);
        return schedule.cron()
                .next(from.atZone(zone))
                .map(next -> Duration.between(now, next.toInstant()))
                .<Verdict>map(wait -> wait.isPositive() ? new Look(shorter(wait)) : new Fire())
                .orElse(new Look(GLANCE));
    }

    private static Duration shorter(Duration wait) {
        Duration capped = wait.compareTo(GLANCE) < 0 ? wait : GLANCE;
        return capped.compareTo(LEAST) < 0 ? LEAST : capped;
    }

    /** Arms it, or goes on with another schedule; a first start counts from now. */
    void start(Schedule schedule) {
        Instant now = clock.instant();
        Optional<Instant> stamp = store.stamp(name);
        if (stamp.isEmpty()) {
            store.stamp(name, now);
        }
        Armed fresh;
        synchronized (this) {
            if (armed != null && armed.schedule().equals(schedule)) {
                return;
            }
            starts++;
            fresh = new Armed(starts, schedule, stamp.orElse(now));
            armed = fresh;
        }
        worker.execute(() -> look(fresh));
    }

    synchronized void stop() {
        armed = null;
    }

    synchronized boolean running() {
        return armed != null;
    }

    /** A look is for one arming only: when the schedule changed in between, the new one looks for itself. */
    private void look(Armed mine) {
        Instant now = clock.instant();
        Verdict verdict = decide(mine.schedule(), mine.last(), now, machineZone);
        switch (verdict) {
            case Look(Duration after) -> {
                Armed next = mine.last().isAfter(now) ? mine.since(now) : mine;
                if (replace(mine, next)) {
                    ticker.after(after, () -> worker.execute(() -> look(next)));
                }
            }
            case Fire _ -> {
                Armed next = mine.since(now);
                if (replace(mine, next)) {
                    fire(now);
                    worker.execute(() -> look(next));
                }
            }
        }
    }

    private synchronized boolean replace(Armed mine, Armed next) {
        if (armed == null || armed.number() != mine.number()) {
            return false;
        }
        armed = next;
        return true;
    }

    private void fire(Instant now) {
        try {
            // Before the run: a host that dies in between has missed one, and never does one twice.
            store.stamp(name, now);
        } catch (MachineFailure e) {
            notes.accept(e.sentence());
        }
        // Whatever becomes of this run: the next one must not be missed, and nobody would arm it again.
        try {
            fire.run();
        } catch (MachineFailure e) {
            notes.accept(e.sentence());
        } catch (RuntimeException bug) {
            notes.accept("cannot start " + BuiltinPlaces.service(name) + ": a fault in the host itself (" + bug + ")");
        }
    }
}
