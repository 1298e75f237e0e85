package io.meshhost.apply.testing;

import io.meshhost.apply.Engine;
import io.meshhost.apply.Kind;
import io.meshhost.apply.Kinds;
import io.meshhost.apply.Options;
import io.meshhost.apply.Plan;
import io.meshhost.apply.Report;
import io.meshhost.apply.Run;
import io.meshhost.declaration.Declaration;
import io.meshhost.machine.Files;
import io.meshhost.machine.Machine;
import io.meshhost.machine.Places;
import io.meshhost.machine.Probe;
import io.meshhost.machine.SystemCommands;
import io.meshhost.machine.Ticker;
import io.meshhost.record.RecordStore;
import io.meshhost.record.RecordStores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A machine to apply to: a scratch root with real files and a real record; accounts and services in memory.
 *
 * <p>{@link #restart} is what happens after a power cut: everything in memory is new, the disk stays.
 */
public final class Rig implements AutoCloseable {
    public final Places places;
    public final FakeServices services;
    /** Of the processes that are declared. */
    public final BoxServices processes;

    /** The supervisor that both are units of. */
    public final BothServices units;

    public final FakeAccounts accounts;
    private final Path base;
    private Machine machine;
    private RecordStore record;
    private FakeBundles bundles;
    private Files files;
    private boolean impatient;
    private final List<String> arrivals = new ArrayList<>();
    private Function<Machine, List<Kind<?, ?>>> kinds = machine -> Kinds.all(machine, this::arrives);

    public Rig(Path base) {
        this(base, "systemd", 1000);
    }

    public Rig(Path base, String supervisor, int uid) {
        this.base = base;
        Path root = base.resolve("root");
        make(root);
        this.places = new Places(
                root,
                root.resolve("var/lib/mesh-host"),
                root.resolve("var/lib/mesh/daemons"),
                root.resolve("etc/systemd/system"),
                root.resolve("usr/lib/nox-mesh-host"),
                root.resolve("run/control.sock"),
                Optional.empty());
        this.services = new FakeServices(supervisor);
        this.processes = new BoxServices(places.unitDir());
        this.units = new BothServices(services, processes);
        this.accounts = new FakeAccounts(uid);
        restart(Probe.NONE, Probe.NONE);
    }

    /** As after a power cut, with the next ones arranged. */
    public void restart(Probe disk, Probe transactions) {
        if (record != null) {
            record.close();
        }
        files = new Files(places.root(), disk, new SystemCommands());
        machine =
                new Machine(files, accounts, new SystemCommands(), units, places, new Ticks(), InstantSource.system());
        record = new CutRecord(RecordStores.open(places.database(), base.resolve("lib"), true), transactions);
        FakeBundles before = bundles;
        bundles = new FakeBundles(files, base.resolve("store"));
        if (before != null) {
            before.all().forEach(bundles::publish);
        }
    }

    /** The power is cut between calls of the supervisor and of useradd(8) and its like. */
    public void cutCalls(Probe probe) {
        long[] calls = {0};
        Runnable count = () -> probe.before(++calls[0], "call", Path.of("/machine"));
        services.before = count;
        processes.before = count;
        accounts.before = count;
    }

    public Engine engine() {
        return new Engine(machine, bundles, record, kinds.apply(machine));
    }

    /** Other kinds than the host's own. */
    public Rig with(Function<Machine, List<Kind<?, ?>>> others) {
        kinds = others;
        return this;
    }

    public Plan plan(Declaration declaration) {
        return engine().plan(declaration, Options.none());
    }

    public Report apply(Declaration declaration) {
        return engine().apply(declaration, Options.none(), Run.quiet("apply"));
    }

    public RecordStore record() {
        return record;
    }

    public FakeBundles bundles() {
        return bundles;
    }

    public Machine machine() {
        return machine;
    }

    /** Id and action of each outcome, as "web/conf created". */
    public static List<String> lines(Report report) {
        return report.outcomes().stream().map(o -> o.id() + " " + o.action()).toList();
    }

    public static List<String> lines(Plan plan) {
        return plan.changes().stream()
                .map(c -> c.id() + " " + c.action().word())
                .toList();
    }

    /** Where a declared path is on this disk. */
    public Path path(String declared) {
        return places.real(Path.of(declared));
    }

    public String text(String declared) {
        try {
            return java.nio.file.Files.readString(path(declared));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Nothing waits any more: for tests that apply a hundred times and do not care about signatures. */
    public Rig impatient() {
        impatient = true;
        return this;
    }

    /** What somebody does by hand. */
    public void write(String declared, String text) {
        try {
            make(path(declared).getParent());
            java.nio.file.Files.writeString(path(declared), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public void delete(String declared) {
        try {
            java.nio.file.Files.deleteIfExists(path(declared));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Versions of the host that arrived, each with whether something had its name then. */
    public List<String> arrivals() {
        return List.copyOf(arrivals);
    }

    private void arrives(String name, Path tree, String sha256) {
        boolean there = java.nio.file.Files.exists(tree.resolveSibling(name));
        arrivals.add(name + (there ? " there " : " absent ") + sha256.length());
    }

    public boolean there(String declared) {
        return java.nio.file.Files.exists(path(declared), java.nio.file.LinkOption.NOFOLLOW_LINKS);
    }

    /** Everything under the root but the host's own state, by name, with content; sorted. */
    public List<String> tree() {
        try (Stream<Path> all = java.nio.file.Files.walk(places.root())) {
            return all.filter(path -> !path.startsWith(places.stateDir())
                            && !places.stateDir().startsWith(path))
                    .map(this::line)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String line(Path path) {
        try {
            String name = places.declared(path).toString();
            if (java.nio.file.Files.isSymbolicLink(path)) {
                return name + " -> " + java.nio.file.Files.readSymbolicLink(path);
            }
            if (java.nio.file.Files.isDirectory(path)) {
                return name + "/";
            }
            return name + " = " + java.nio.file.Files.readString(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void make(Path directory) {
        try {
            java.nio.file.Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        record.close();
    }

    /** The system's monotonic clock; on an impatient machine, what is waited for has passed at once. */
    private final class Ticks implements Ticker {
        private final AtomicLong skipped = new AtomicLong();

        @Override
        public long nanos() {
            return System.nanoTime() + skipped.get();
        }

        @Override
        public Cancellable after(Duration delay, Runnable task) {
            if (impatient) {
                skipped.addAndGet(delay.toNanos());
                task.run();
                return () -> {};
            }
            CompletableFuture<Void> due = CompletableFuture.runAsync(
                    task, CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS));
            return () -> due.cancel(false);
        }
    }
}
