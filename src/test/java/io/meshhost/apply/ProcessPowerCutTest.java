package io.meshhost.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.apply.testing.MemoryFolder;
import io.meshhost.apply.testing.ProcessBox;
import io.meshhost.apply.testing.ProcessBox.PowerCut;
import io.meshhost.apply.testing.ProcessDraft;
import io.meshhost.declaration.Resource.ProcessResource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The power is cut before each effect of a change in turn: each write, each call of the supervisor, each transaction.
 * What stands under a name is whole at any moment, and the next apply ends where an undisturbed one would.
 */
class ProcessPowerCutTest {
    private static final int MORE_THAN_ANY_CHANGE_HAS = 500;
    private static final String V1 = "1".repeat(64);
    private static final String V2 = "2".repeat(64);
    private static final String CRASH = "3".repeat(64);

    @TempDir(factory = MemoryFolder.class)
    Path folder;

    static Stream<Arguments> changes() {
        ProcessResource one = web(V1).env("A", "1").secret("KEY", "s1").build();
        ProcessResource two = web(V2).env("A", "2").secret("KEY", "s2").build();
        ProcessResource job = web(V2).at("0 3 * * *").build();
        ProcessResource step = web(V1).once().build();
        return Stream.of(
                Arguments.of("first install", Optional.empty(), two),
                Arguments.of("new bundle, unit and secret", Optional.of(one), two),
                Arguments.of("unit only", Optional.of(one), web(V1).build()),
                Arguments.of("daemon to schedule", Optional.of(one), job),
                Arguments.of("schedule to daemon", Optional.of(job), one),
                Arguments.of("daemon to step", Optional.of(one), step),
                Arguments.of("step to daemon", Optional.of(step), two));
    }

    private static ProcessDraft web(String sha256) {
        return ProcessDraft.of(sha256);
    }

    /** @return false once the change ends before the cut */
    private static boolean cut(ProcessBox box, int n, ProcessResource to) {
        box.cutAt(n);
        try {
            box.apply(to);
            return false;
        } catch (PowerCut expected) {
            return true;
        } finally {
            box.mend();
        }
    }

    private void atEachEffect(Optional<ProcessResource> from, ProcessResource to, Function<ProcessBox, Runnable> then) {
        for (int n = 1; n < MORE_THAN_ANY_CHANGE_HAS; n++) {
            ProcessBox box = box(n);
            from.ifPresent(box::apply);
            Runnable check = then.apply(box);
            if (!cut(box, n, to)) {
                assertThat(n).as("effects of the change").isGreaterThan(8);
                return;
            }
            whole(box);
            check.run();
        }
        throw new AssertionError("the change never ends");
    }

    private ProcessBox box(int n) {
        ProcessBox box = new ProcessBox(created(folder.resolve(String.valueOf(n))));
        publish(box, "1", "v1");
        publish(box, "2", "v2");
        publish(box, "3", "crash");
        return box;
    }

    private static Path created(Path folder) {
        try {
            return Files.createDirectories(folder);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void publish(ProcessBox box, String digit, String version) {
        box.bundles.publish(digit, Map.of("bin/", "", "bin/app*", version, "version", version, "z-last", version));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("changes")
    void theNextApplyFinishesIt(String what, Optional<ProcessResource> from, ProcessResource to) {
        ProcessBox clean = box(MORE_THAN_ANY_CHANGE_HAS);
        clean.apply(to);
        atEachEffect(from, to, box -> () -> {
            assertThat(box.apply(to).error()).isEmpty();
            same(box, clean, to);
        });
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("changes")
    void afterABootTheNextApplyFinishesIt(String what, Optional<ProcessResource> from, ProcessResource to) {
        ProcessBox clean = box(MORE_THAN_ANY_CHANGE_HAS);
        clean.apply(to);
        atEachEffect(from, to, box -> () -> {
            box.services.boot();
            assertThat(box.apply(to).error()).isEmpty();
            same(box, clean, to);
        });
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("changes")
    void whoChangesHisMindGetsTheOldVersionBack(String what, Optional<ProcessResource> from, ProcessResource to) {
        if (from.isEmpty()) {
            return;
        }
        ProcessBox clean = box(MORE_THAN_ANY_CHANGE_HAS);
        clean.apply(from.get());
        atEachEffect(from, to, box -> () -> {
            box.services.boot();
            assertThat(box.apply(from.get()).error()).isEmpty();
            same(box, clean, from.get());
        });
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("changes")
    void asNothingIsDeclaredAnyMoreNothingStays(String what, Optional<ProcessResource> from, ProcessResource to) {
        atEachEffect(from, to, box -> () -> {
            if (box.record.applied().containsKey("demo/web")) {
                box.undeclare("demo/web");
            }
            assertThat(everything(box)).isEmpty();
            assertThat(box.services.running()).isEmpty();
            assertThat(box.services.enabled()).isEmpty();
        });
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("changes")
    void aBadVersionAfterItGivesWayToOneThatWorked(String what, Optional<ProcessResource> from, ProcessResource to) {
        if (from.isEmpty() || from.get().runOnce() || to.runOnce()) {
            return;
        }
        atEachEffect(from, to, box -> () -> {
            String error = box.apply(web(CRASH).build()).error();
            assertThat(error).contains("the old version was put back and");
            String version = read(box.tree("web").resolve("version"));
            assertThat(version).isIn("v1", "v2");
            assertThat(box.services.running()).hasSize(1);
        });
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("changes")
    void takingItBackIsAsSafeAsDoingIt(String what, Optional<ProcessResource> from, ProcessResource ignored) {
        if (from.isEmpty() || from.get().runOnce()) {
            return;
        }
        ProcessBox clean = box(MORE_THAN_ANY_CHANGE_HAS);
        clean.apply(from.get());
        atEachEffect(from, web(CRASH).env("A", "3").secret("KEY", "s3").build(), box -> () -> {
            box.services.boot();
            assertThat(box.apply(from.get()).error()).isEmpty();
            same(box, clean, from.get());
        });
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("changes")
    void aRemovalThatWasCutOffIsDoneAgain(String what, Optional<ProcessResource> from, ProcessResource to) {
        for (int n = 1; n < MORE_THAN_ANY_CHANGE_HAS; n++) {
            ProcessBox box = box(n);
            box.apply(to);
            box.cutAt(n);
            boolean ended = false;
            try {
                box.undeclare("demo/web");
                ended = true;
            } catch (PowerCut expected) {
                box.mend();
                box.undeclare("demo/web");
            }
            assertThat(everything(box)).isEmpty();
            assertThat(box.services.running()).isEmpty();
            assertThat(box.services.enabled()).isEmpty();
            if (ended) {
                return;
            }
        }
        throw new AssertionError("the removal never ends");
    }

    /** Under its own name a bundle is all of one version, or not there. */
    private static void whole(ProcessBox box) {
        if (Files.exists(box.tree("web"))) {
            List<String> versions = Stream.of("version", "z-last", "bin/app")
                    .map(name -> read(box.tree("web").resolve(name)))
                    .distinct()
                    .toList();
            assertThat(versions).hasSize(1);
        }
    }

    /** As an undisturbed machine is, and an apply more changes nothing. */
    private static void same(ProcessBox box, ProcessBox clean, ProcessResource declared) {
        assertThat(everything(box)).isEqualTo(everything(clean));
        assertThat(box.services.enabled()).isEqualTo(clean.services.enabled());
        assertThat(box.services.running()).isEqualTo(clean.services.running());
        for (String unit : clean.services.running()) {
            assertThat(box.services.running(unit).orElseThrow().replace(box.root.toString(), ""))
                    .isEqualTo(clean.services.running(unit).orElseThrow().replace(clean.root.toString(), ""));
        }
        assertThat(box.apply(declared).action()).isEqualTo("unchanged");
    }

    private static List<String> everything(ProcessBox box) {
        return Stream.of("units", "daemons", "state")
                .map(box.root::resolve)
                .filter(Files::exists)
                .flatMap(place -> {
                    try (Stream<Path> all = Files.walk(place)) {
                        return all.filter(Files::isRegularFile).toList().stream();
                    } catch (IOException e) {
                        throw new java.io.UncheckedIOException(e);
                    }
                })
                .map(file -> box.root.relativize(file) + ": " + read(file).replace(box.root.toString(), ""))
                .sorted()
                .toList();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
