package io.meshhost.apply;

import static io.meshhost.apply.testing.Declared.directory;
import static io.meshhost.apply.testing.Declared.file;
import static io.meshhost.apply.testing.Declared.machine;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.apply.testing.Rig;
import io.meshhost.declaration.Declaration;
import io.meshhost.record.Applied;
import io.meshhost.record.RecordStore.Beginning;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** After a rollback the record speaks of what only the newer version knows: that is told and left, all else goes on. */
class UnknownKindTest {
    private static final String LEFT = "cannot take away web: this version knows no container, a newer one applied it;"
            + " it is left until a version that knows it is back";

    @TempDir
    Path base;

    private Rig rig;

    @BeforeEach
    void aNewerVersionWasHere() {
        rig = new Rig(base).impatient();
        rig.apply(machine(file("a/gone", "/srv/gone", "x")));
        recorded(Applied.first("a/web", "container", "web", "{}"));
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private void recorded(Applied row) {
        rig.record().begin(List.of(new Beginning(row, Optional.empty())));
        rig.record().finish(List.of(row.applied("image:1", "", "{}")), List.of(), Map.of(), Set.of());
    }

    @Test
    void itIsOneSkippedLineAndTheRestIsApplied() {
        Declaration declaration = machine(file("a/conf", "/etc/conf", "x"));
        Plan plan = rig.plan(declaration);
        Report report = rig.apply(declaration);
        assertThat(Rig.lines(plan)).containsExactly("a/conf created", "a/web skipped", "a/gone removed");
        assertThat(Rig.lines(report)).isEqualTo(Rig.lines(plan));
        assertThat(plan.changes().get(1).detail()).isEqualTo(LEFT);
        assertThat(report.outcomes().get(1).detail()).isEqualTo(LEFT);
        assertThat(report.ok()).isTrue();
        assertThat(plan.pending()).isEqualTo(2);
    }

    @Test
    void itsRowStaysForTheVersionThatKnowsIt() {
        Applied before = rig.record().applied().get("a/web");
        rig.apply(machine());
        rig.apply(machine());
        assertThat(rig.record().applied()).containsOnly(Map.entry("a/web", before));
    }

    @Test
    void itSaysSoAlsoWhereItsModuleIsInTroubleOrItsOriginUnknown() {
        recorded(Applied.first("a/db", "container", "db", "{}").adopted());
        rig.write("/srv/a/in-the-way", "");
        Report report = rig.apply(machine(file("a/file", "/srv/a", "x")));
        assertThat(Rig.lines(report))
                .containsExactly("a/file failed", "a/db skipped", "a/web skipped", "a/gone skipped");
        assertThat(report.outcomes().get(2).detail()).isEqualTo(LEFT);
        assertThat(report.outcomes().get(1).detail()).isEqualTo(LEFT.replace("web", "db"));
    }

    @Test
    void anIdThatNowMeansAnotherThingGivesUpItsRowToIt() {
        Report report = rig.apply(machine(directory("a/web", "/srv/web")));
        assertThat(Rig.lines(report)).containsExactly("a/web created", "a/web~1 skipped", "a/gone removed");
        assertThat(rig.record().applied().get("a/web~1"))
                .extracting(Applied::type, Applied::target, Applied::want)
                .containsExactly("container", "web", "image:1");
    }
}
