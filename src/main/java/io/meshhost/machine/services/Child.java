package io.meshhost.machine.services;

import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.Ticker;
import io.meshhost.machine.services.ServiceState.Active;
import java.time.Duration;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The owner of one process's {@link Life}: the only place where it changes, under one lock, within which
 * nothing is called but {@link Life#turn}. Effects are carried out afterwards, on the worker.
 */
final class Child {
    private final BuiltinWorks works;
    private final ProcessLog log;
    private final String name;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition moved = lock.newCondition();
    private final StartLimit starts = new StartLimit();
    private ProcessSpec spec;
    private Life life = Life.unborn();
    private Duration patience;
    private @Nullable Held held;
    private @Nullable Failure failure;

    Child(ProcessSpec spec, ProcessLog log, BuiltinWorks works) {
        this.spec = spec;
        this.name = spec.name();
        this.log = log;
        this.works = works;
        this.patience = works.settings().stopTimeout();
    }

    /** A run's process as the machine knows it; {@code told} is done when its exit was told to the life. */
    private record Held(long run, int pid, long started, CompletableFuture<Void> told, Ticker.Cancellable limit) {}

    private record Failure(long run, MachineFailure why) {}

    /** The new description counts from the next start on. */
    void describe(ProcessSpec now) {
        locked(() -> spec = now);
    }

    boolean kept() {
        return locked(() -> spec.schedule().isEmpty());
    }

    boolean down() {
        return locked(() -> life instanceof Life.Stopped || life instanceof Life.Failed);
    }

    ProcessLog log() {
        return log;
    }

    /** Starts and does not wait; nothing where it runs. Too many starts leave it failed. */
    void begin() {
        on(mayStart() ? new Life.Start() : new Life.Refused());
    }

    /**
     * Starts and waits until there is a pid.
     *
     * @throws MachineFailure when it cannot be started; a daemon is tried again all the same
     */
    void start() {
        if (!mayStart()) {
            on(new Life.Refused());
            throw StartLimit.exceeded(BuiltinPlaces.service(name));
        }
        on(new Life.Start());
        awaitStarted();
    }

    void restart() {
        on(new Life.Restart());
        awaitStarted();
    }

    void beginStop() {
        on(new Life.Stop());
    }

    /** Waits until nothing of it is left: the bundle may be taken away under it then. */
    void stop() {
        beginStop();
        await(state -> !(state instanceof Life.Ending));
    }

    /** From now on TERM has this long at most; for the end of the host. */
    void hurry(Duration limit) {
        locked(() -> patience = limit);
    }

    void forget() {
        on(new Life.Forget());
    }

    BuiltinStatus.Unit snapshot() {
        lock.lock();
        try {
            Held now = held;
            boolean known = now != null && now.run() == life.run().number();
            boolean present =
                    !(life instanceof Life.Stopped || life instanceof Life.Failed || life instanceof Life.Waiting);
            return new BuiltinStatus.Unit(
                    BuiltinPlaces.service(name),
                    present ? mark(life.run().number()) : "",
                    present && known && now != null ? now.pid() : 0,
                    present && known && now != null ? now.started() : 0,
                    active(),
                    subState(),
                    life.result(),
                    life.run().restarts());
        } finally {
            lock.unlock();
        }
    }

    private Active active() {
        return switch (life) {
            case Life.Stopped _ -> Active.INACTIVE;
            case Life.Failed _ -> Active.FAILED;
            case Life.Starting _, Life.Waiting _ -> Active.ACTIVATING;
            // A run of Type=oneshot is "activating" until it is over.
            case Life.Running _ -> spec.schedule().isEmpty() ? Active.ACTIVE : Active.ACTIVATING;
            case Life.Ending _ -> Active.DEACTIVATING;
        };
    }

    private String subState() {
        return switch (life) {
            case Life.Stopped _ -> "dead";
            case Life.Failed _ -> "failed";
            case Life.Starting _ -> "start";
            case Life.Waiting _ -> "auto-restart";
            case Life.Running _ -> spec.schedule().isEmpty() ? "running" : "start";
            case Life.Ending _ -> "stop-sigterm";
        };
    }

    // ---- events ----

    private void on(Life.Event event) {
        Life.Turn turn;
        boolean changed;
        lock.lock();
        try {
            turn = Life.turn(life, event, spec.schedule().isEmpty());
            changed = !turn.next().equals(life);
            life = turn.next();
            moved.signalAll();
        } finally {
            lock.unlock();
        }
        turn.effect().ifPresent(effect -> works.worker().execute(() -> carryOut(effect)));
        if (changed) {
            works.status().changed();
        }
    }

    private void carryOut(Life.Effect effect) {
        switch (effect) {
            case Life.Launch(Life.Run run) -> launch(run.number());
            case Life.EndTree(long run) -> endTree(run);
            case Life.Rearm(long run) ->
                works.ticker().after(works.settings().restartDelay(), () -> on(new Life.Due(run)));
        }
    }

    /** From before there is a process until its exit is told; the worker's thread waits, at no cost. */
    private void launch(long run) {
        Process process;
        CompletableFuture<Void> told = new CompletableFuture<>();
        try {
            process = spawn(run, told);
        } catch (MachineFailure e) {
            notSpawned(run, e);
            return;
        } catch (RuntimeException bug) {
            // Of this process only, and it must not be "starting" for ever: whoever stops it would wait as long.
            String sentence = "cannot start " + BuiltinPlaces.service(name) + ": a fault in the host itself (" + bug
                    + "); please report it";
            notSpawned(run, new MachineFailure(sentence, bug));
            return;
        }
        // Only now: an exit that were told before the pid would be taken for one of another run.
        on(new Life.Exited(run, process.onExit().join().exitValue()));
        told.complete(null);
    }

    private void notSpawned(long run, MachineFailure why) {
        locked(() -> failure = new Failure(run, why));
        works.notes().accept(why.sentence());
        on(new Life.NotSpawned(run));
    }

    private Process spawn(long run, CompletableFuture<Void> told) {
        ProcessSpec now = locked(() -> spec);
        // The mark is on disk before the process is: a host killed in between leaves none unknown.
        works.status().publish();
        BuiltinCommand command = works.launcher().command(now, mark(run));
        Process process = works.spawner().start(command, now.directory());
        try {
            keep(run, process, now, told);
        } catch (RuntimeException e) {
            // Unknown to us it would run on, beside the one of the next try.
            process.destroyForcibly();
            throw e;
        }
        return process;
    }

    private void keep(long run, Process process, ProcessSpec now, CompletableFuture<Void> told) {
        int pid = (int) process.pid();
        long started = works.table().entry(pid).map(ProcessTable.Entry::started).orElse(0L);
        Ticker.Cancellable limit = now.schedule().isPresent() && now.timeout().isPresent()
                ? works.ticker().after(now.timeout().get(), () -> on(new Life.Overran(run)))
                : () -> {};
        locked(() -> held = new Held(run, pid, started, told, limit));
        Pump.start("output of " + name, process, log::append);
        on(new Life.Spawned(run, pid, started));
    }

    private void endTree(long run) {
        Held now = locked(() -> held);
        if (now == null || now.run() != run) {
            on(new Life.Cleared(run, false));
            return;
        }
        now.limit().cancel();
        TreeEnd.Run rest = new TreeEnd.Run(now.pid(), now.started(), mark(run), now.told());
        TreeEnd end = new TreeEnd(works.table(), works.ticker(), works.worker(), rest, () -> locked(() -> patience));
        on(new Life.Cleared(run, end.start().join()));
    }

    /** As INVOCATION_ID of systemd: 128 bits in hexadecimal, never the same for two runs. */
    private String mark(long run) {
        return UUID.nameUUIDFromBytes(
                        (works.epoch() + ' ' + name + ' ' + run).getBytes(java.nio.charset.StandardCharsets.UTF_8))
                .toString()
                .replace("-", "")
                .toLowerCase(Locale.ROOT);
    }

    // ---- waiting ----

    private boolean mayStart() {
        return locked(() -> {
            boolean limited =
                    spec.schedule().isPresent() && (life instanceof Life.Stopped || life instanceof Life.Failed);
            return !limited || starts.admits(works.ticker().nanos());
        });
    }

    private void awaitStarted() {
        await(Life::settled);
        MachineFailure why = locked(() -> {
            Failure last = failure;
            return last != null && last.run() == life.run().number() && !(life instanceof Life.Running)
                    ? last.why()
                    : null;
        });
        if (why != null) {
            throw new MachineFailure(why.sentence(), why);
        }
    }

    private void await(Predicate<Life> reached) {
        lock.lock();
        try {
            while (!reached.test(life)) {
                moved.await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MachineFailure("cannot wait for " + name + ": the host is stopping; apply again", e);
        } finally {
            lock.unlock();
        }
    }

    private <T extends @Nullable Object> T locked(java.util.function.Supplier<T> look) {
        lock.lock();
        try {
            return look.get();
        } finally {
            lock.unlock();
        }
    }
}
