package io.meshhost.machine.services;

import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.services.BuiltinStore.Damaged;
import io.meshhost.machine.services.BuiltinStore.Installed;
import io.meshhost.machine.services.BuiltinStore.Understood;
import io.meshhost.machine.services.ServiceState.Active;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The built-in supervisor as the daemon has it: from {@link #start} to {@link #close} it keeps what is enabled
 * running, and fires its schedules. Its processes end with it, on {@code kill -9} too; what is left of an
 * earlier host's is ended before anything is started, so that nothing ever runs twice.
 */
public final class BuiltinSupervisor extends BuiltinServices implements AutoCloseable {
    /** What leftovers of a killed host have after TERM: nobody waits for them, but the machine's start does. */
    private static final Duration LEFTOVERS = Duration.ofSeconds(10);

    private final Map<String, Child> children = new ConcurrentSkipListMap<>();
    private final Map<String, BuiltinTimer> timers = new ConcurrentSkipListMap<>();
    private final BuiltinBoard board;
    private final BuiltinWorks works;

    public BuiltinSupervisor(BuiltinMeans means) {
        super(means);
        this.board = new BuiltinBoard(store, table, worker, means.notes(), this::units);
        this.works = new BuiltinWorks(
                launcher,
                new Spawner("supervisor"),
                table,
                means.ticker(),
                worker,
                means.settings(),
                UUID.randomUUID().toString(),
                board,
                means.notes());
    }

    @Override
    public boolean live() {
        return true;
    }

    /**
     * Ends what an earlier host left, then starts everything that is enabled, without waiting for it.
     *
     * @throws MachineFailure when another host keeps the processes of this state directory
     */
    public void start() {
        // One that this process started before has been closed: dev mode starts the next in the same process.
        host().filter(other -> other.hostPid() != ProcessHandle.current().pid()).ifPresent(other -> {
            throw new MachineFailure("cannot start the supervisor: the host with pid " + other.hostPid()
                    + " keeps the processes of this state directory; stop it first");
        });
        endLeftovers();
        reload();
        for (Map.Entry<String, Installed> entry : store.load().entrySet()) {
            switch (entry.getValue()) {
                case Damaged(MachineFailure why) -> means.notes().accept(why.sentence());
                case Understood(ProcessSpec spec) -> startAtBoot(spec);
            }
        }
        board.publish();
    }

    private void startAtBoot(ProcessSpec spec) {
        if (spec.schedule().isPresent()) {
            if (store.enabled(BuiltinPlaces.timer(spec.name()))) {
                timer(spec.name()).start(spec.schedule().get());
            }
        } else if (store.enabled(BuiltinPlaces.service(spec.name()))) {
            child(spec).begin();
        }
    }

    /** Ended, not adopted: their output goes nowhere any more, and no exit of theirs would ever be told to us. */
    private void endLeftovers() {
        List<BuiltinStatus.Unit> left = store.running()
                .flatMap(BuiltinStatus::parse)
                .filter(status -> status.boot().equals(table.bootId()))
                .map(status -> status.units().stream()
                        .filter(unit -> !unit.mark().isEmpty())
                        .toList())
                .orElse(List.of());
        List<CompletableFuture<Boolean>> endings =
                left.stream().map(this::endLeftover).toList();
        endings.forEach(CompletableFuture::join);
    }

    private CompletableFuture<Boolean> endLeftover(BuiltinStatus.Unit unit) {
        TreeEnd.Run run = new TreeEnd.Run(unit.pid(), unit.started(), unit.mark(), null);
        try {
            if (!table.tree(run.main(), run.started(), run.mark()).isEmpty()) {
                means.notes().accept("ended what an earlier host left running of " + unit.unit());
            }
        } catch (MachineFailure unseen) {
            // Only for the note: the ending looks for itself, again and again.
            means.notes().accept(unseen.sentence());
        }
        return new TreeEnd(table, means.ticker(), worker, run, () -> LEFTOVERS).start();
    }

    /** TERM to all at once, KILL after the shorter time that the host's own end allows; then nothing is left. */
    @Override
    public void close() {
        timers.values().forEach(BuiltinTimer::stop);
        board.closing();
        children.values().forEach(child -> child.hurry(means.settings().closeTimeout()));
        children.values().forEach(Child::beginStop);
        children.values().forEach(Child::stop);
        works.spawner().close();
        board.publish();
    }

    // ---- what runs ----

    private Child child(ProcessSpec spec) {
        return children.computeIfAbsent(spec.name(), name -> new Child(spec, log(name), works));
    }

    private BuiltinTimer timer(String name) {
        return timers.computeIfAbsent(
                name,
                _ -> new BuiltinTimer(
                        name, store, means, worker, () -> child(spec(name)).begin()));
    }

    private List<BuiltinStatus.Unit> units() {
        return children.values().stream().map(Child::snapshot).toList();
    }

    private Optional<BuiltinStatus.Unit> now(String unit) {
        String name = BuiltinPlaces.nameOf(unit);
        if (!BuiltinPlaces.isTimer(unit)) {
            // What is removed, and down, is no more.
            return Optional.ofNullable(children.get(name)).map(Child::snapshot);
        }
        return Optional.ofNullable(timers.get(name))
                .filter(BuiltinTimer::running)
                .map(_ -> new BuiltinStatus.Unit(unit, "", 0, 0, Active.ACTIVE, "waiting", "success", 0));
    }

    // ---- Services ----

    @Override
    public Map<String, ServiceState> states(Collection<String> units) {
        return units.isEmpty() ? Map.of() : states(units, this::now);
    }

    /** Changed descriptions count from the next start, changed schedules at once; as systemd's daemon-reload. */
    @Override
    public void reload() {
        Map<String, Installed> installed = store.load();
        installed.values().forEach(found -> {
            if (found instanceof Understood(ProcessSpec spec)) {
                child(spec).describe(spec);
                Optional.ofNullable(timers.get(spec.name())).ifPresent(timer -> retime(timer, spec));
            }
        });
        timers.entrySet().removeIf(entry -> {
            boolean gone = !installed.containsKey(entry.getKey());
            if (gone) {
                entry.getValue().stop();
            }
            return gone;
        });
        children.entrySet()
                .removeIf(entry -> !installed.containsKey(entry.getKey())
                        && entry.getValue().down());
        Set<String> alive = new HashSet<>(children.keySet());
        store.sweep(alive);
        board.changed();
    }

    private static void retime(BuiltinTimer timer, ProcessSpec spec) {
        if (spec.schedule().isEmpty()) {
            timer.stop();
        } else if (timer.running()) {
            timer.start(spec.schedule().get());
        }
    }

    @Override
    public void start(String unit) {
        ProcessSpec spec = spec(unit);
        if (BuiltinPlaces.isTimer(unit)) {
            timer(spec.name()).start(spec.schedule().orElseThrow());
        } else {
            child(spec).start();
        }
    }

    @Override
    public void stop(String unit) {
        String name = BuiltinPlaces.nameOf(unit);
        if (BuiltinPlaces.isTimer(unit)) {
            Optional.ofNullable(timers.get(name)).ifPresent(BuiltinTimer::stop);
        } else {
            Optional.ofNullable(children.get(name)).ifPresent(Child::stop);
        }
    }

    @Override
    public void restart(String unit) {
        ProcessSpec spec = spec(unit);
        if (BuiltinPlaces.isTimer(unit)) {
            stop(unit);
            start(unit);
        } else {
            child(spec).restart();
        }
    }

    @Override
    public void forget(String unit) {
        if (!BuiltinPlaces.isTimer(unit)) {
            Optional.ofNullable(children.get(BuiltinPlaces.nameOf(unit))).ifPresent(Child::forget);
        }
        if (!store.installed(unit)) {
            reload();
        }
    }
}
