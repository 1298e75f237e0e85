package io.meshhost.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.apply.testing.Declared;
import io.meshhost.apply.testing.Rig;
import io.meshhost.declaration.Declaration;
import io.meshhost.machine.Probe;
import io.meshhost.machine.Progress;
import io.meshhost.record.Applied;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** After the record was lost: an archive that stands there as it would be unpacked is adopted, not unpacked anew. */
class RebuildTest {
    private static final Options REBUILD = new Options(false, true);

    @TempDir
    Path base;

    private Rig rig;
    private Declaration declaration;

    @BeforeEach
    void anArchiveWhoseRecordIsLost() throws IOException {
        rig = new Rig(base).impatient();
        declaration = Declared.machine(
                Declared.archive("m/app", "/srv/app", rig.bundles().publish("a=1\nlib/b=22\n")));
        loseTheRecordAfter(declaration);
    }

    private void loseTheRecordAfter(Declaration applied) throws IOException {
        rig.apply(applied);
        rig.record().close();
        for (String suffix : List.of("", "-wal", "-shm")) {
            Files.deleteIfExists(Path.of(rig.places.database() + suffix));
        }
        rig.restart(Probe.NONE, Probe.NONE);
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private Object inode() throws IOException {
        return Files.getAttribute(rig.path("/srv/app/a"), "unix:ino");
    }

    private Report rebuild() {
        return rig.engine().apply(declaration, REBUILD, Run.quiet("apply"));
    }

    @Test
    void oneThatMatchesIsAdoptedWithUnknownOriginAndNeverTakenAwayUntold() throws IOException {
        Object inode = inode();
        assertThat(Rig.lines(rig.engine().plan(declaration, REBUILD))).containsExactly("m/app unchanged");
        assertThat(Rig.lines(rebuild())).containsExactly("m/app unchanged");
        assertThat(inode()).isEqualTo(inode);
        assertThat(rig.record().applied().get("m/app"))
                .extracting(Applied::origin)
                .isEqualTo(Applied.Origin.UNKNOWN);
        assertThat(Rig.lines(rig.apply(declaration))).containsExactly("m/app unchanged");
        assertThat(Rig.lines(rig.apply(Declared.machine()))).containsExactly("m/app skipped");
        assertThat(rig.text("/srv/app/lib/b")).isEqualTo("22");
    }

    @Test
    void oneThatIsCutOffGoesOnWithTheNextApplyWhoeverAsksForThat() throws IOException {
        Declaration two = Declared.machine(
                Declared.archive("m/app", "/srv/app", rig.bundles().publish("a=1\nlib/b=22\n")),
                Declared.archive("m/second", "/srv/second", rig.bundles().publish("c=3\n")));
        loseTheRecordAfter(two);
        Object inode = Files.getAttribute(rig.path("/srv/second/c"), "unix:ino");
        List<String> seen = new ArrayList<>();
        Run cut = new Run("apply", Progress.NONE, () -> !seen.isEmpty(), outcome -> seen.add(outcome.id()));

        assertThat(Rig.lines(rig.engine().apply(two, REBUILD, cut)))
                .containsExactly("m/app unchanged", "m/second skipped");
        assertThat(rig.record().rebuilding()).isTrue();

        assertThat(Rig.lines(rig.apply(two))).containsExactly("m/app unchanged", "m/second unchanged");
        assertThat(Files.getAttribute(rig.path("/srv/second/c"), "unix:ino")).isEqualTo(inode);
        assertThat(rig.record().applied().get("m/second"))
                .extracting(Applied::origin)
                .isEqualTo(Applied.Origin.UNKNOWN);
        assertThat(rig.record().rebuilding()).isFalse();
    }

    @Test
    void whatIsChangedLaterIsMended() {
        rebuild();
        rig.write("/srv/app/a", "by hand");
        assertThat(Rig.lines(rig.apply(declaration))).containsExactly("m/app updated");
        assertThat(rig.text("/srv/app/a")).isEqualTo("1");
    }

    @Test
    void oneThatDiffersIsUnpackedAnew() {
        rig.write("/srv/app/lib/b", "longer");
        assertThat(Rig.lines(rebuild())).containsExactly("m/app updated");
        assertThat(rig.text("/srv/app/lib/b")).isEqualTo("22");
    }
}
