package io.meshhost.apply;

import static io.meshhost.apply.testing.Declared.directory;
import static io.meshhost.apply.testing.Declared.file;
import static io.meshhost.apply.testing.Declared.machine;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.apply.testing.Rig;
import io.meshhost.declaration.Declaration;
import io.meshhost.machine.Probe;
import io.meshhost.machine.testing.PowerCut;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The power is cut before every operation on the disk and around every transaction; then a new host applies. */
class PowerCutTest {
    @TempDir
    Path base;

    private int machines;

    @Test
    void aFirstApplyEndsAsDeclaredWhereverItWasCut() {
        Declaration declaration = machine(
                directory("a/d", "/srv/d"),
                file("a/x", "/srv/d/x", "x"),
                file("a/y", "/opt/made/y", "y", OptionalInt.of(0600)),
                file("a/z", "/etc/z", "z"));
        List<String> end = List.of(
                "/etc/", "/etc/z = z", "/opt/", "/opt/made/", "/opt/made/y = y", "/srv/", "/srv/d/", "/srv/d/x = x");
        Consumer<Rig> before = rig -> rig.write("/etc/z", "by hand");
        everyCut(before, declaration, rig -> assertThat(rig.tree()).isEqualTo(end));
        everyCut(before, declaration, rig -> {
            rig.apply(machine());
            assertThat(rig.tree()).containsExactly("/etc/", "/etc/z = by hand");
        });
    }

    @Test
    void anUpdateEndsAsDeclaredWhereverItWasCut() {
        Declaration first = machine(file("a/x", "/srv/x", "1"), file("a/y", "/srv/y", "1"));
        Declaration second = machine(
                file("a/x", "/srv/x", "2"),
                file("a/y", "/srv/y", "1", OptionalInt.of(0600)),
                file("a/z", "/srv/z", "3"));
        everyCut(
                rig -> rig.apply(first),
                second,
                rig -> assertThat(rig.tree()).containsExactly("/srv/", "/srv/x = 2", "/srv/y = 1", "/srv/z = 3"));
    }

    @Test
    void takingAwayEndsAsItWasBeforeWhereverItWasCut() {
        Consumer<Rig> before = rig -> {
            rig.write("/etc/kept", "by hand");
            link(rig.path("/etc/link"), "kept");
            rig.apply(machine(
                    file("a/kept", "/etc/kept", "ours"),
                    file("a/link", "/etc/link", "ours"),
                    file("a/new", "/srv/new/x", "ours"),
                    directory("a/d", "/srv/d"),
                    file("a/changed", "/srv/d/changed", "ours")));
            rig.write("/srv/d/changed", "by hand since");
        };
        everyCut(
                before,
                machine(),
                rig -> assertThat(rig.tree())
                        .containsExactly(
                                "/etc/",
                                "/etc/kept = by hand",
                                "/etc/link -> kept",
                                "/srv/",
                                "/srv/d/",
                                "/srv/d/changed.mesh-removed = by hand since"));
    }

    @Test
    void anIdThatMovesEndsInItsNewPlaceWhereverItWasCut() {
        Consumer<Rig> before = rig -> {
            rig.write("/etc/x", "by hand");
            rig.apply(machine(file("a/f", "/etc/x", "ours")));
        };
        everyCut(before, machine(file("a/g", "/etc/x", "ours"), file("a/f", "/etc/y", "new")), rig -> {
            assertThat(rig.tree()).containsExactly("/etc/", "/etc/x = ours", "/etc/y = new");
            rig.apply(machine());
            assertThat(rig.tree()).containsExactly("/etc/", "/etc/x = by hand");
        });
    }

    /** Cuts at 1, 2, 3 … until the apply gets through; first on the disk, then around transactions. */
    private void everyCut(Consumer<Rig> before, Declaration declaration, Consumer<Rig> after) {
        int disk = cuts(before, declaration, after, (rig, cut) -> rig.restart(cut, Probe.NONE));
        int transactions = cuts(before, declaration, after, (rig, cut) -> rig.restart(Probe.NONE, cut));
        assertThat(disk).isGreaterThan(2);
        assertThat(transactions).isGreaterThan(2);
    }

    private int cuts(
            Consumer<Rig> before, Declaration declaration, Consumer<Rig> after, BiConsumer<Rig, Probe> arrange) {
        for (int n = 1; ; n++) {
            try (Rig rig = new Rig(base.resolve("m" + ++machines)).impatient()) {
                before.accept(rig);
                arrange.accept(rig, PowerCut.before(n));
                boolean through = applied(rig, declaration);
                rig.restart(Probe.NONE, Probe.NONE);
                List<String> planned = Rig.lines(rig.plan(declaration));
                Report next = rig.apply(declaration);
                assertThat(Rig.lines(next)).as("after cut %d", n).isEqualTo(planned);
                assertThat(next.ok()).as("after cut %d: %s", n, next.outcomes()).isTrue();
                assertThat(rig.plan(declaration).pending())
                        .as("after cut %d", n)
                        .isZero();
                assertThat(temporaries(rig)).as("after cut %d", n).isEmpty();
                after.accept(rig);
                if (through) {
                    return n;
                }
            }
        }
    }

    private static boolean applied(Rig rig, Declaration declaration) {
        try {
            rig.apply(declaration);
            return true;
        } catch (PowerCut.Cut cut) {
            return false;
        }
    }

    private static List<String> temporaries(Rig rig) {
        List<String> left = new ArrayList<>(rig.tree());
        left.removeIf(line -> !line.contains("/."));
        return left;
    }

    private static void link(Path path, String target) {
        try {
            Files.createSymbolicLink(path, Path.of(target));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
