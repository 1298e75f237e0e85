package io.meshhost.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.apply.testing.Declared;
import io.meshhost.apply.testing.Rig;
import io.meshhost.declaration.Declaration;
import io.meshhost.declaration.Resource;
import io.meshhost.machine.Probe;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/**
 * FI-11: what plan says is what apply does, for random declarations of paths and drift made by hand; and what is in
 * place once stays untouched.
 */
class PlanIsApplyTest {
    private static final List<String> PATHS =
            List.of("/p/a", "/p/b", "/p/d", "/p/d/x", "/p/d/y", "/q/deep/er", "/q/deep/z", "/r");

    @Property(tries = 60, shrinking = ShrinkingMode.OFF)
    void planSaysWhatApplyDoes(@ForAll long seed) throws IOException {
        Path base = Files.createTempDirectory("mesh-host-plan");
        Random random = new Random(seed);
        try (Rig rig = new Rig(base).impatient()) {
            List<String> archives =
                    List.of(rig.bundles().publish("a=1\nb/c=1\n"), rig.bundles().publish("a=2\n"));
            for (int round = 0; round < 4; round++) {
                drift(rig, random);
                Declaration declaration = declaration(random, archives);
                rig.restart(Probe.NONE, Probe.NONE);
                List<String> before = rig.tree();
                List<String> planned = Rig.lines(rig.plan(declaration));
                Report report = rig.apply(declaration);
                assertThat(Rig.lines(report))
                        .as("seed %d round %d: %s of %s", seed, round, report.outcomes(), before)
                        .isEqualTo(planned);
                if (report.ok()) {
                    assertNothingLeft(rig, declaration, seed, round);
                }
            }
        } finally {
            delete(base);
        }
    }

    /** What is in place stays untouched: neither a second plan nor a second apply finds anything. */
    private static void assertNothingLeft(Rig rig, Declaration declaration, long seed, int round) {
        List<String> unchanged = Order.of(declaration.resources().toList()).stream()
                .map(resource -> resource.id() + " unchanged")
                .toList();
        assertThat(Rig.lines(rig.plan(declaration)))
                .as("second plan, seed %d round %d", seed, round)
                .isEqualTo(unchanged);
        assertThat(Rig.lines(rig.apply(declaration)))
                .as("second apply, seed %d round %d", seed, round)
                .isEqualTo(unchanged);
    }

    private static Declaration declaration(Random random, List<String> archives) {
        List<Resource> resources = new ArrayList<>();
        for (String path : PATHS) {
            String id = "m" + random.nextInt(2) + "/r" + random.nextInt(20);
            boolean taken =
                    resources.stream().anyMatch(resource -> resource.id().equals(id));
            if (taken || random.nextInt(3) == 0) {
                continue;
            }
            resources.add(
                    switch (path.equals("/p/d") ? 3 : random.nextInt(6)) {
                        case 0, 1, 2 ->
                            Declared.file(
                                    id,
                                    path,
                                    "text " + random.nextInt(2),
                                    random.nextBoolean() ? OptionalInt.of(0600) : OptionalInt.empty());
                        case 3, 4 -> Declared.directory(id, path);
                        default -> Declared.archive(id, path, archives.get(random.nextInt(2)));
                    });
        }
        return Declared.machine(resources.toArray(Resource[]::new));
    }

    private static void drift(Rig rig, Random random) {
        for (int n = random.nextInt(4); n > 0; n--) {
            Path path = rig.path(PATHS.get(random.nextInt(PATHS.size())));
            try {
                if (random.nextInt(8) == 0 && Files.isDirectory(path)) {
                    delete(path);
                    Files.writeString(path, "in the way");
                } else if (Files.isRegularFile(path) && random.nextBoolean()) {
                    Files.delete(path);
                } else if (Files.isRegularFile(path)) {
                    Files.writeString(path, "by hand " + random.nextInt(2));
                } else if (Files.isDirectory(path)) {
                    Files.writeString(path.resolve("added" + random.nextInt(2)), "added");
                } else if (Files.isDirectory(path.resolveSibling("."))) {
                    Files.writeString(path, "found");
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static void delete(Path tree) throws IOException {
        try (Stream<Path> all = Files.walk(tree)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
