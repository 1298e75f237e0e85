package io.meshhost.apply;

import static io.meshhost.apply.testing.Declared.archive;
import static io.meshhost.apply.testing.Declared.directory;
import static io.meshhost.apply.testing.Declared.file;
import static io.meshhost.apply.testing.Declared.machine;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.apply.testing.EveryCut;
import io.meshhost.apply.testing.FakeBundles;
import io.meshhost.apply.testing.Rig;
import io.meshhost.declaration.Declaration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The power is cut before every operation on the disk and around every transaction; then a new host applies. */
class PowerCutTest {
    @TempDir
    Path base;

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
        everyCut(before, declaration, rig -> {
            assertThat(rig.tree()).isEqualTo(end);
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
    void anArchiveIsReplacedWhole() {
        String first = "a=1\nlib/b=1\n";
        String second = "a=2\nlib/c=2\n";
        Consumer<Rig> before = rig -> {
            rig.bundles().publish(second);
            rig.apply(machine(archive("x/app", "/opt/app", rig.bundles().publish(first))));
            rig.write("/opt/app/lib/added", "by hand");
        };
        everyCut(before, machine(archive("x/app", "/opt/app", FakeBundles.sha(second))), rig -> {
            assertThat(rig.tree())
                    .containsExactly(
                            "/opt/",
                            "/opt/app/",
                            "/opt/app/a = 2",
                            "/opt/app/lib/",
                            "/opt/app/lib/added = by hand",
                            "/opt/app/lib/c = 2");
            rig.apply(machine());
            assertThat(rig.tree())
                    .containsExactly("/opt/", "/opt/app/", "/opt/app/lib/", "/opt/app/lib/added = by hand");
        });
    }

    @Test
    void anArchiveThatIsUndeclaredAfterItsReplacementWasCutLeavesOnlyWhatOthersAdded() {
        String first = "a=1\nlib/b=1\n";
        String second = "a=2\nlib/c=2\n";
        Consumer<Rig> before = rig -> {
            rig.bundles().publish(second);
            rig.apply(machine(archive("x/app", "/opt/app", rig.bundles().publish(first))));
            rig.write("/opt/app/lib/added", "by hand");
        };
        new EveryCut(base)
                .then(
                        before,
                        machine(archive("x/app", "/opt/app", FakeBundles.sha(second))),
                        machine(),
                        rig -> assertThat(rig.tree())
                                .containsExactly(
                                        "/opt/", "/opt/app/", "/opt/app/lib/", "/opt/app/lib/added = by hand"));
    }

    @Test
    void anArchiveIsTakenAwayWhole() {
        Consumer<Rig> before = rig ->
                rig.apply(machine(archive("x/app", "/opt/app", rig.bundles().publish("a=1\nlib/b=1\n"))));
        everyCut(before, machine(), rig -> assertThat(rig.tree()).isEmpty());
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

    private void everyCut(Consumer<Rig> before, Declaration declaration, Consumer<Rig> after) {
        new EveryCut(base).of(before, declaration, after);
    }

    private static void link(Path path, String target) {
        try {
            Files.createSymbolicLink(path, Path.of(target));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
