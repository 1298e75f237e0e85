package io.meshhost.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.apply.testing.Declared;
import io.meshhost.apply.testing.ProcessDraft;
import io.meshhost.apply.testing.Rig;
import io.meshhost.apply.testing.WholeMachine;
import io.meshhost.declaration.Declaration;
import io.meshhost.declaration.Head;
import io.meshhost.declaration.Resource;
import io.meshhost.declaration.Resource.ServiceResource;
import io.meshhost.machine.Machine;
import io.meshhost.machine.services.ServiceState.Enabled;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** FI-11 for what runs: processes, the machine's own units and accounts, with {@code after} and {@code restart_on}. */
class PlanIsApplyOfUnitsTest {
    private static final String UNIT = "x.service";
    private static final List<String> PROCESSES = List.of("one", "two", "three");

    @TempDir
    Path base;

    private static List<Kind<?, ?>> kinds(Machine machine) {
        return List.of(
                new FileKind(machine.clock()),
                new WholeMachine<>(new UserKind()),
                new WholeMachine<>(new ServiceKind()),
                new ProcessKind(machine.clock().withZone(ZoneId.of("UTC"))));
    }

    private static Rig rig(Path base) {
        Rig rig = new Rig(base).impatient().with(PlanIsApplyOfUnitsTest::kinds);
        rig.services.install(UNIT, true, Enabled.DISABLED, "simple");
        return rig;
    }

    private static ProcessDraft process(Rig rig, String name, int version) {
        String sha256 = rig.bundles().publish("version=v" + version + "\nlib/a=" + version + "\n");
        return ProcessDraft.of(sha256).id("a/" + name).named(name).run("/bin/true");
    }

    @Property(tries = 25, shrinking = ShrinkingMode.OFF)
    void planSaysWhatApplyDoes(@ForAll long seed) throws IOException {
        Path folder = Files.createTempDirectory("mesh-host-units");
        Random random = new Random(seed);
        try (Rig rig = rig(folder)) {
            for (int round = 0; round < 5; round++) {
                drift(rig, random);
                Declaration declaration = declaration(rig, random);
                List<String> planned = Rig.lines(rig.plan(declaration));
                Report report = rig.apply(declaration);
                assertThat(Rig.lines(report))
                        .as("seed %d round %d: %s", seed, round, report.outcomes())
                        .isEqualTo(planned);
                assertThat(report.ok())
                        .as("seed %d round %d: %s", seed, round, report.outcomes())
                        .isTrue();
                assertThat(rig.apply(declaration).summary().keySet())
                        .as("again, seed %d round %d", seed, round)
                        .isSubsetOf("unchanged");
            }
        } finally {
            delete(folder);
        }
    }

    private static Declaration declaration(Rig rig, Random random) {
        List<Resource> resources = new ArrayList<>();
        for (String name : List.of("f", "g")) {
            resources.add(Declared.file("a/" + name, "/etc/" + name, "text " + random.nextInt(3)));
        }
        if (random.nextBoolean()) {
            resources.add(Declared.user("a/app", "app", random.nextBoolean() ? "/bin/sh" : "/bin/false"));
        }
        if (random.nextInt(3) > 0) {
            resources.add(new ServiceResource(
                    new Head("a/x", Set.of(), some(resources, random)),
                    UNIT,
                    random.nextBoolean() ? Optional.of(random.nextBoolean()) : Optional.empty(),
                    random.nextBoolean() ? Optional.of(random.nextBoolean()) : Optional.empty()));
        }
        for (String name : PROCESSES) {
            if (random.nextInt(4) > 0) {
                resources.add(process(rig, resources, name, random));
            }
        }
        return Declared.machine(resources.toArray(Resource[]::new));
    }

    private static Resource process(Rig rig, List<Resource> before, String name, Random random) {
        ProcessDraft draft = process(rig, name, 1 + random.nextInt(2))
                .env("A", "" + random.nextInt(2))
                .after(some(before, random).toArray(String[]::new))
                .restartOn(some(before, random).toArray(String[]::new));
        if (random.nextBoolean()) {
            draft.secret("KEY", "hidden" + random.nextInt(2));
        }
        return switch (random.nextInt(4)) {
            case 0 -> draft.at("0 " + random.nextInt(3) + " * * *").build();
            case 1 -> draft.once().build();
            default -> draft.build();
        };
    }

    /** Only of what comes before: no cycles. */
    private static Set<String> some(List<Resource> before, Random random) {
        Set<String> ids = new java.util.TreeSet<>();
        before.stream().map(Resource::id).filter(id -> random.nextInt(3) == 0).forEach(ids::add);
        return Set.copyOf(ids);
    }

    private static void drift(Rig rig, Random random) {
        String name = PROCESSES.get(random.nextInt(PROCESSES.size()));
        switch (random.nextInt(7)) {
            case 0 -> rig.processes.die(name + ".service", random.nextBoolean() ? "success" : "signal");
            case 1 -> rig.delete(rig.places.declared(rig.places.unitDir()) + "/" + name + ".service");
            case 2 -> rig.delete(rig.places.declared(rig.places.daemonsDir()) + "/" + name + "/lib/a");
            case 3 -> rig.services.install(UNIT, random.nextBoolean(), Enabled.ENABLED, "simple");
            case 4 -> rig.accounts.user("app").ifPresent(there -> rig.accounts.delete("app"));
            case 5 -> rig.write("/etc/f", "by hand");
            default -> rig.processes.boot();
        }
    }

    private static void delete(Path tree) throws IOException {
        try (Stream<Path> all = Files.walk(tree)) {
            all.sorted(Comparator.reverseOrder()).forEach(path -> {
                try {
                    Files.delete(path);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }

    private static Declaration threeFiles(Rig rig, String text) {
        return Declared.machine(
                Declared.file("a/f", "/etc/f", text),
                Declared.file("a/g", "/etc/g", text),
                Declared.file("a/h", "/etc/h", text),
                process(rig, "web", 1).restartOn("a/f", "a/g", "a/h").build());
    }

    // FI-11
    @Test
    void threeChangedFilesAndOneRestartAreFourChangesAndExactlyOneRestart() {
        try (Rig rig = rig(base)) {
            rig.apply(threeFiles(rig, "1"));
            rig.processes.calls.clear();
            Plan plan = rig.plan(threeFiles(rig, "2"));
            Report report = rig.apply(threeFiles(rig, "2"));
            assertThat(Rig.lines(plan)).containsExactly("a/f updated", "a/g updated", "a/h updated", "a/web updated");
            assertThat(Rig.lines(report)).isEqualTo(Rig.lines(plan));
            assertThat(report.outcomes().getLast().detail()).endsWith("restarted because a/f, a/g, a/h changed");
            assertThat(rig.processes.calls)
                    .containsOnlyOnce("restart web.service")
                    .doesNotContain("reload");
        }
    }

    @Test
    void severalChangedUnitsAreReadAgainByOneReload() {
        try (Rig rig = rig(base)) {
            for (String value : List.of("1", "2")) {
                rig.processes.calls.clear();
                Report report = rig.apply(Declared.machine(PROCESSES.stream()
                        .map(name -> process(rig, name, 1).env("A", value).build())
                        .toArray(Resource[]::new)));
                assertThat(report.ok()).isTrue();
                assertThat(rig.processes.calls)
                        .containsOnlyOnce("reload")
                        .contains("restart one.service", "restart two.service", "restart three.service");
                assertThat(rig.processes.running("three.service").orElseThrow()).contains("A=" + value);
            }
        }
    }
}
