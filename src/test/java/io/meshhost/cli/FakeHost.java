package io.meshhost.cli;

import io.meshhost.apply.Options;
import io.meshhost.apply.Plan;
import io.meshhost.apply.Report;
import io.meshhost.apply.Run;
import io.meshhost.converge.DeclarationPlace;
import io.meshhost.converge.Host;
import io.meshhost.converge.Parts;
import io.meshhost.converge.Unreadable;
import io.meshhost.declaration.Declaration;
import io.meshhost.declaration.Fault;
import io.meshhost.declaration.Reading;
import io.meshhost.launch.Versions;
import io.meshhost.machine.Files;
import io.meshhost.machine.Places;
import io.meshhost.machine.Probe;
import io.meshhost.machine.SystemTicker;
import io.meshhost.record.HistoryEntry;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiFunction;

/** A machine of paper: what the commands ask of it is answered from its fields. */
final class FakeHost implements Host {
    final Path root;
    Optional<Declaration> declaration = Optional.of(new Declaration("box", OptionalLong.of(7), true, List.of()));
    List<Fault> faults = List.of();
    List<HistoryEntry> history = List.of();
    Optional<String> halted = Optional.empty();
    BiFunction<Declaration, Options, Plan> plan =
            (declared, options) -> new Plan("box", OptionalLong.of(7), List.of(), List.of());
    BiFunction<Declaration, Options, Report> apply =
            (declared, options) -> new Report(true, "box", 7L, List.of(), java.util.Map.of(), List.of());

    List<String> complaints = List.of();

    FakeHost(Path root) {
        this.root = root;
    }

    @Override
    public String node() {
        return "box";
    }

    @Override
    public Places places() {
        return new Places(
                root,
                root.resolve("state"),
                root.resolve("daemons"),
                root.resolve("units"),
                root.resolve("libexec"),
                root.resolve("run/control.sock"),
                Optional.empty());
    }

    @Override
    public Versions versions() {
        return new Versions(places(), root.resolve("none"), 3, files(), new SystemTicker());
    }

    @Override
    public DeclarationPlace declarationPlace() {
        return new DeclarationPlace(List.of(root.resolve("declaration.json"), root.resolve("declaration.yaml")));
    }

    @Override
    public Reading read(Path file) {
        if (!java.nio.file.Files.exists(file)) {
            throw new Unreadable("cannot read " + file + ": there is no such file; check the name", null);
        }
        return new Reading(declaration, faults);
    }

    @Override
    public Plan plan(Declaration declared, Options options) {
        return plan.apply(declared, options);
    }

    @Override
    public Report apply(Declaration declared, Options options, Run run) {
        return apply.apply(declared, options);
    }

    @Override
    public List<HistoryEntry> history(Optional<String> id, int limit) {
        return history.stream().limit(limit).toList();
    }

    @Override
    public Files files() {
        return new Files(root, Probe.NONE);
    }

    @Override
    public int ownUid() {
        return 0;
    }

    @Override
    public AutoCloseable alone() {
        return () -> {};
    }

    @Override
    public Parts parts(String version) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<String> complaints() {
        return complaints;
    }

    @Override
    public Optional<String> stateFile(String name) {
        return name.equals("halted") ? halted : Optional.empty();
    }

    @Override
    public void close() {}
}
