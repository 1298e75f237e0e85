package io.meshhost.apply.testing;

import io.meshhost.apply.Change;
import io.meshhost.apply.Done;
import io.meshhost.apply.Facts;
import io.meshhost.apply.ProcessKind;
import io.meshhost.apply.Sight;
import io.meshhost.apply.Work;
import io.meshhost.declaration.Resource.ProcessResource;
import io.meshhost.machine.Accounts;
import io.meshhost.machine.Commands;
import io.meshhost.machine.ExpectedFailure;
import io.meshhost.machine.Files;
import io.meshhost.machine.Places;
import io.meshhost.machine.Probe;
import io.meshhost.machine.Progress;
import io.meshhost.record.Applied;
import io.meshhost.record.RecordStore.Beginning;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** One machine with one process: real files under a root, everything else in memory; applies as the engine does. */
public final class ProcessBox {
    /** The primary group of a user, as far from its uid. */
    public static final int GROUP = 5000;

    public final Path root;
    public final BoxServices services;
    public final BoxRecord record = new BoxRecord();
    public final BoxTicker ticker = new BoxTicker();
    public final BoxBundles bundles;
    public final Map<String, Path> programs = new HashMap<>(Map.of("sh", Path.of("/usr/bin/sh")));
    public final Map<String, Integer> users = new HashMap<>();
    public boolean stopping;
    public boolean asRoot = true;
    /** The machine itself, although all the host's own places lie in a scratch folder. */
    public boolean wholeMachine;
    /** Whether nobody asked for what is applied, as at the reconcile of every ten minutes. */
    public boolean unasked;

    public Instant now = Instant.parse("2027-03-01T12:00:00Z");

    private final ProcessKind kind = new ProcessKind(((InstantSource) this::now).withZone(ZoneId.of("Europe/Berlin")));
    private Files files;

    public ProcessBox(Path root) {
        this.root = root;
        this.services = new BoxServices(root.resolve("units"));
        this.files = new Files(root, Probe.NONE);
        this.bundles = new BoxBundles(root.resolve("blobs"), files);
    }

    private Instant now() {
        return now;
    }

    /** From now on the probe is told of each write. */
    public void probe(Probe probe) {
        files = new Files(root, probe);
        bundles.files = files;
    }

    /** Cuts the power before the nth effect from now: a write, a call of the supervisor, a transaction. */
    public void cutAt(int n) {
        int[] effects = {0};
        Runnable count = () -> {
            if (++effects[0] == n) {
                throw new PowerCut();
            }
        };
        probe((number, operation, path) -> count.run());
        services.before = count;
        record.around = count;
    }

    /** The power is back. */
    public void mend() {
        probe(Probe.NONE);
        services.before = () -> {};
        record.around = () -> {};
    }

    /** Not an expected failure: nothing in the host may catch it. */
    public static final class PowerCut extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    public Places places() {
        return new Places(
                wholeMachine ? Path.of("/") : root,
                root.resolve("state"),
                root.resolve("daemons"),
                root.resolve("units"),
                root.resolve("lib"),
                root.resolve("control"),
                Optional.empty());
    }

    public Path tree(String name) {
        return places().daemonsDir().resolve(name);
    }

    public Path unit(String unit) {
        return places().unitDir().resolve(unit);
    }

    /** @param error empty unless it failed */
    public record Told(String action, String detail, String error, Change plan) {}

    public Change plan(ProcessResource resource, String... causes) {
        Optional<Applied> row = Optional.ofNullable(record.applied().get(resource.id()));
        return kind.plan(
                resource, kind.observe(resource, row, sight(kind.units(resource))), row, Set.of(causes), facts());
    }

    public Told apply(ProcessResource resource, String... causes) {
        Change change = plan(resource, causes);
        if (!change.action().changes()) {
            String error = change.action().word().equals("failed") ? change.detail() : "";
            return new Told(change.action().word(), change.detail(), error, change);
        }
        Applied row = change.recorded().orElseThrow();
        record.begin(List.of(new Beginning(row, Optional.empty())));
        if (kind.stage(resource, change, work())) {
            services.reload();
        }
        try {
            Done done = kind.carryOut(resource, change, work());
            record.finish(
                    List.of(row.applied(change.want(), done.signature(), done.notes())), Set.of(), Map.of(), Set.of());
            return new Told(change.action().word(), done.detail(), "", change);
        } catch (ExpectedFailure failure) {
            return new Told("failed", change.detail(), failure.sentence(), change);
        }
    }

    /** Staged, and then not carried out because something before it failed. */
    public void stageOnly(ProcessResource resource) {
        Change change = plan(resource);
        record.begin(List.of(new Beginning(change.recorded().orElseThrow(), Optional.empty())));
        if (kind.stage(resource, change, work())) {
            services.reload();
        }
        if (kind.unstage(resource, change, work())) {
            services.reload();
        }
    }

    public Told undeclare(String id) {
        Applied row = record.applied().get(id);
        if (row == null) {
            throw new IllegalStateException(id + " is not in the record");
        }
        Change change = kind.planUndeclare(row, kind.observeUndeclared(row, sight(kind.units(row))), facts());
        if (change.action().word().equals("failed")) {
            return new Told("failed", change.detail(), change.detail(), change);
        }
        Done done = kind.undeclare(row, change, work());
        record.finish(List.of(), Set.of(id), Map.of(), Set.of());
        return new Told(change.action().word(), done.detail(), "", change);
    }

    private Facts facts() {
        return new Facts(places(), asRoot, services.live, services.systemd).unasked(unasked);
    }

    private Sight sight(Set<String> units) {
        return new Sight(
                files, accounts(), commands(), services, bundles, record, places(), services.states(units), false);
    }

    private Work work() {
        return new Work(
                files,
                accounts(),
                commands(),
                services,
                bundles,
                record,
                places(),
                ticker,
                Progress.NONE,
                () -> stopping);
    }

    private Commands commands() {
        return new Commands() {
            @Override
            public Commands.Result run(Command command) {
                throw new IllegalStateException("nothing is run but by the supervisor");
            }

            @Override
            public Optional<Path> find(String name) {
                return Optional.ofNullable(programs.get(name));
            }
        };
    }

    private Accounts accounts() {
        return new BoxAccounts(users, asRoot);
    }

    private record BoxAccounts(Map<String, Integer> users, boolean asRoot) implements Accounts {
        @Override
        public OptionalInt uid(String nameOrNumber) {
            Integer uid = users.get(nameOrNumber);
            return uid == null ? OptionalInt.empty() : OptionalInt.of(uid);
        }

        @Override
        public OptionalInt gid(String nameOrNumber) {
            return uid(nameOrNumber);
        }

        @Override
        public OptionalInt primaryGid(String nameOrNumber) {
            Integer uid = users.get(nameOrNumber);
            return uid == null ? OptionalInt.empty() : OptionalInt.of(uid + GROUP);
        }

        @Override
        public String userName(int uid) {
            return String.valueOf(uid);
        }

        @Override
        public String groupName(int gid) {
            return String.valueOf(gid);
        }

        @Override
        public Optional<Account> user(String name) {
            return Optional.empty();
        }

        @Override
        public void add(Account account, boolean system) {
            throw new IllegalStateException("a process makes no account");
        }

        @Override
        public void modify(Account account) {
            throw new IllegalStateException("a process changes no account");
        }

        @Override
        public void delete(String name) {
            throw new IllegalStateException("a process deletes no account");
        }

        @Override
        public int ownUid() {
            return asRoot ? 0 : 1000;
        }

        @Override
        public int ownGid() {
            return asRoot ? 0 : 1000;
        }
    }
}
