package io.meshhost.apply;

import static io.meshhost.apply.testing.Declared.directory;
import static io.meshhost.apply.testing.Declared.file;
import static io.meshhost.apply.testing.Declared.machine;
import static io.meshhost.apply.testing.Declared.manifest;
import static io.meshhost.apply.testing.Declared.secret;
import static io.meshhost.apply.testing.Declared.serial;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhost.apply.testing.Declared;
import io.meshhost.apply.testing.Rig;
import io.meshhost.declaration.Declaration;
import io.meshhost.declaration.Resource.Bytes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineTest {
    @TempDir
    Path base;

    private Rig rig;

    @BeforeEach
    void machineIsThere() {
        rig = new Rig(base);
    }

    @AfterEach
    void recordIsClosed() {
        rig.close();
    }

    @Test
    void declaredFilesAndDirectoriesAreMadeInDeclaredOrder() {
        Report report =
                rig.apply(machine(directory("web/dir", "/srv/web"), file("web/conf", "/srv/web/conf", "hello\n")));
        assertThat(Rig.lines(report)).containsExactly("web/dir created", "web/conf created");
        assertThat(report.ok()).isTrue();
        assertThat(rig.text("/srv/web/conf")).isEqualTo("hello\n");
    }

    @Test
    void aSecondApplyFindsEverythingUnchangedAndWritesNothing() throws Exception {
        Declaration declaration = machine(directory("web/dir", "/srv/web"), file("web/conf", "/srv/web/conf", "x"));
        rig.apply(declaration);
        byte[] wal = Files.readAllBytes(rig.places.database());
        List<String> operations = new ArrayList<>();
        rig.restart((n, what, path) -> operations.add(what + " " + path), (n, what, path) -> operations.add(what));
        Report second = rig.apply(declaration);
        assertThat(Rig.lines(second)).containsExactly("web/dir unchanged", "web/conf unchanged");
        assertThat(operations).isEmpty();
        assertThat(rig.record().history(Optional.empty(), 10)).hasSize(1);
        assertThat(wal).isNotEmpty();
    }

    @Test
    void planChangesNothingAndSaysWhatApplyThenDoes() {
        Declaration declaration = machine(file("web/a", "/srv/a", "a"), file("web/b", "/srv/b", "b"));
        Plan plan = rig.plan(declaration);
        assertThat(rig.there("/srv")).isFalse();
        assertThat(Rig.lines(plan)).containsExactly("web/a created", "web/b created");
        assertThat(Rig.lines(rig.apply(declaration))).isEqualTo(Rig.lines(plan));
        assertThat(rig.plan(declaration).pending()).isZero();
    }

    @Test
    void whatIsNoLongerDeclaredGoesInReverseOrderWithTheDirectoriesMadeForIt() {
        rig.apply(machine(
                directory("web/dir", "/srv/web"),
                file("web/a", "/srv/web/a", "a"),
                file("web/deep", "/opt/x/y/z", "z"),
                file("web/kept", "/etc/kept", "k")));
        Report report = rig.apply(machine(file("web/kept", "/etc/kept", "k")));
        assertThat(Rig.lines(report))
                .containsExactly("web/kept unchanged", "web/deep removed", "web/a removed", "web/dir removed");
        assertThat(rig.tree()).containsExactly("/etc/", "/etc/kept = k");
    }

    @Test
    void aRemovedModuleGoesButAnotherModulesFailureKeepsOnlyItsOwn() {
        rig.apply(machine(file("a/x", "/srv/x", "x"), file("b/y", "/srv/y", "y"), file("b/z", "/srv/z", "z")));
        rig.delete("/srv/z");
        rig.write("/srv/z/in-the-way", "");
        Report report = rig.apply(machine(file("b/z", "/srv/z", "changed")));
        assertThat(Rig.lines(report)).containsExactly("b/z failed", "b/y skipped", "a/x removed");
        assertThat(rig.text("/srv/y")).isEqualTo("y");
    }

    @Test
    void aFailureStopsWhatDependsOnItAndNothingElse() {
        rig.write("/srv/a/in-the-way", "");
        Report report = rig.apply(machine(
                file("web/a", "/srv/a", "a"),
                file("web/b", "/srv/b", "b", "web/a"),
                file("web/c", "/srv/c", "c", "web/b"),
                file("web/d", "/srv/d", "d")));
        assertThat(Rig.lines(report))
                .containsExactly("web/a failed", "web/b skipped", "web/c skipped", "web/d created");
        assertThat(report.outcomes().get(0).error()).contains("a directory is in the way");
        assertThat(report.outcomes().get(1).detail()).isEqualTo("not done: it needs web/a, which failed");
        assertThat(report.ok()).isFalse();
        assertThat(report.summary()).containsEntry("failed", 1).containsEntry("skipped", 2);
    }

    @Test
    void aFailureThatOnlyCarryingOutShowsStopsWhatDependsOnIt() throws Exception {
        Files.createDirectories(rig.path("/srv"));
        Files.createFile(rig.path("/srv/file"));
        Report report =
                rig.apply(machine(file("web/a", "/srv/file/below", "a"), file("web/b", "/srv/b", "b", "web/a")));
        assertThat(Rig.lines(report)).containsExactly("web/a failed", "web/b skipped");
        Report later = rig.apply(machine(file("web/b", "/srv/b", "b")));
        assertThat(later.ok()).isTrue();
        assertThat(rig.text("/srv/b")).isEqualTo("b");
    }

    @Test
    void oneManifestUndeclaresOnlyItsOwn() {
        rig.apply(machine(file("a/x", "/srv/x", "x"), file("b/y", "/srv/y", "y")));
        Report report = rig.apply(manifest("a"));
        assertThat(Rig.lines(report)).containsExactly("a/x removed");
        assertThat(rig.text("/srv/y")).isEqualTo("y");
    }

    @Test
    void oneManifestCannotTakeWhatAnotherModuleKeeps() {
        rig.apply(machine(file("a/x", "/srv/x", "x")));
        Report report = rig.apply(manifest("b", file("b/x", "/srv/x", "other")));
        assertThat(report.outcomes().getFirst().error()).contains("it belongs to a/x");
        assertThat(rig.text("/srv/x")).isEqualTo("x");
    }

    @Test
    void aRenamedResourceInheritsItsRowAndWhatWasThereBefore() {
        rig.write("/srv/x", "by hand");
        rig.apply(machine(file("a/old", "/srv/x", "x")));
        Report report = rig.apply(machine(file("a/new", "/srv/x", "x")));
        assertThat(Rig.lines(report)).containsExactly("a/new unchanged");
        assertThat(rig.record().applied().keySet()).containsExactly("a/new");
        rig.apply(machine());
        assertThat(rig.text("/srv/x")).isEqualTo("by hand");
    }

    @Test
    void anIdThatMovesToAnotherPathLeavesTheOldPathAsItWas() {
        rig.write("/srv/x", "by hand");
        rig.apply(machine(file("a/f", "/srv/x", "x")));
        Report report = rig.apply(machine(file("a/f", "/srv/y", "x")));
        assertThat(Rig.lines(report)).containsExactly("a/f created", "a/f~1 restored");
        assertThat(rig.text("/srv/x")).isEqualTo("by hand");
        assertThat(rig.text("/srv/y")).isEqualTo("x");
        assertThat(rig.plan(machine(file("a/f", "/srv/y", "x"))).pending()).isZero();
        assertThat(rig.record().applied().keySet()).containsExactly("a/f");
    }

    @Test
    void twoIdsThatSwapTheirPathsLoseNothing() {
        rig.write("/srv/x", "x before");
        rig.apply(machine(file("a/x", "/srv/x", "1"), file("a/y", "/srv/y", "2")));
        Report report = rig.apply(machine(file("a/x", "/srv/y", "2"), file("a/y", "/srv/x", "1")));
        assertThat(Rig.lines(report)).containsExactly("a/x unchanged", "a/y unchanged");
        rig.apply(machine());
        assertThat(rig.text("/srv/x")).isEqualTo("x before");
        assertThat(rig.there("/srv/y")).isFalse();
    }

    @Test
    void whatStandsInTheWayUnderAnotherTypeGoesFirst() {
        rig.apply(machine(file("a/x", "/srv/x", "x")));
        Declaration next = machine(directory("a/d", "/srv/x"), file("a/f", "/srv/x/f", "f"));
        Plan plan = rig.plan(next);
        Report report = rig.apply(next);
        assertThat(Rig.lines(report)).containsExactly("a/x removed", "a/d created", "a/f created");
        assertThat(Rig.lines(plan)).isEqualTo(Rig.lines(report));
        assertThat(rig.text("/srv/x/f")).isEqualTo("f");
    }

    @Test
    void aLowerSerialIsRefusedUnlessForced() {
        rig.apply(serial(7, file("a/x", "/srv/x", "7")));
        assertThatThrownBy(() -> rig.apply(serial(6, file("a/x", "/srv/x", "6"))))
                .isInstanceOf(ApplyFailure.class)
                .hasMessage("cannot apply serial 6: serial 7 was applied already; raise it, or go back with --force");
        assertThat(rig.text("/srv/x")).isEqualTo("7");
        rig.engine().apply(serial(6, file("a/x", "/srv/x", "6")), new Options(true, false), Run.quiet("apply"));
        assertThat(rig.text("/srv/x")).isEqualTo("6");
        assertThat(rig.record().serial()).hasValue(6);
    }

    @Test
    void aLostRecordIsRefusedAndRebuildingAdoptsWhatMatches() throws Exception {
        Declaration declaration = machine(file("a/x", "/srv/x", "x"), file("a/y", "/srv/y", "y"));
        rig.apply(declaration);
        rig.write("/var/lib/mesh-host/known-good", "1.0\n");
        rig.record().close();
        for (String suffix : List.of("", "-wal", "-shm")) {
            Files.deleteIfExists(Path.of(rig.places.database() + suffix));
        }
        rig.write("/srv/y", "changed");
        rig.restart((n, what, path) -> {}, (n, what, path) -> {});
        assertThatThrownBy(() -> rig.apply(declaration))
                .isInstanceOf(ApplyFailure.class)
                .hasMessageContaining("is missing, yet")
                .extracting(failure -> ((ApplyFailure) failure).reason())
                .isEqualTo(ApplyFailure.Reason.REFUSED);
        Report report = rig.engine().apply(declaration, new Options(false, true), Run.quiet("apply"));
        assertThat(Rig.lines(report)).containsExactly("a/x unchanged", "a/y updated");
        assertThat(rig.record().applied().values())
                .extracting(row -> row.id() + " " + row.origin())
                .containsExactlyInAnyOrder("a/x UNKNOWN", "a/y KNOWN");
        Report gone = rig.apply(machine());
        assertThat(Rig.lines(gone)).containsExactly("a/y restored", "a/x forgotten");
        assertThat(rig.text("/srv/x")).isEqualTo("x");
        assertThat(rig.text("/srv/y")).isEqualTo("changed");
    }

    @Test
    void stoppingFinishesTheResourceInHandAndTheNextApplyGoesOn() {
        Declaration declaration =
                machine(file("a/x", "/srv/x", "x"), file("a/y", "/srv/y", "y"), file("a/z", "/srv/z", "z"));
        int[] looks = {0};
        Report report = rig.engine()
                .apply(
                        declaration,
                        Options.none(),
                        new Run("apply", io.meshhost.machine.Progress.NONE, () -> ++looks[0] > 4, outcome -> {}));
        assertThat(Rig.lines(report)).containsExactly("a/x created", "a/y skipped", "a/z skipped");
        assertThat(report.ok()).isFalse();
        assertThat(rig.record().applied().keySet()).containsExactly("a/x");
        assertThat(Rig.lines(rig.apply(declaration))).containsExactly("a/x unchanged", "a/y created", "a/z created");
    }

    @Test
    void aSecretIsNeitherInThePlanNorInTheRecord() throws Exception {
        Declaration declaration = machine(secret("a/s", "/srv/s", "hunter2-hunter2"));
        assertThat(rig.plan(declaration).toString()).doesNotContain("hunter2");
        rig.apply(declaration);
        assertThat(Files.getPosixFilePermissions(rig.path("/srv/s")))
                .isEqualTo(java.nio.file.attribute.PosixFilePermissions.fromString("rw-------"));
        assertThat(rig.record().applied().toString()).doesNotContain("hunter2");
        rig.restart((n, what, path) -> {}, (n, what, path) -> {});
        assertThat(rig.plan(declaration).pending()).isZero();
        assertThat(rig.plan(machine(secret("a/s", "/srv/s", "other")))
                        .changes()
                        .getFirst()
                        .diff()
                        .lines())
                .containsExactly("(secret: content is not shown)");
    }

    @Test
    void whatIsNotPublishedFailsAndWhatIsForOthersIsSkipped() {
        Report report = rig.apply(machine(
                Declared.fetched("a/x", "/srv/x", new Bytes.Unpublished("app")),
                Declared.fetched("a/y", "/srv/y", new Bytes.OtherSystem("app", "arch"))));
        assertThat(Rig.lines(report)).containsExactly("a/x failed", "a/y skipped");
        assertThat(report.outcomes().getFirst().error()).startsWith("artifact app is not published");
    }

    @Test
    void historyTellsWhatChangedAndWhy() {
        rig.apply(machine(file("a/x", "/srv/x", "x")));
        rig.apply(machine(file("a/x", "/srv/x", "x")));
        rig.apply(machine(file("a/x", "/srv/x", "new")));
        assertThat(rig.record().history(Optional.empty(), 10))
                .extracting(
                        entry -> entry.why() + " " + entry.lines().getFirst().action())
                .containsExactly("apply updated", "apply created");
    }
}
