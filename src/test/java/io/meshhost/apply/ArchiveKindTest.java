package io.meshhost.apply;

import static io.meshhost.apply.testing.Declared.archive;
import static io.meshhost.apply.testing.Declared.machine;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.apply.testing.Rig;
import io.meshhost.machine.Probe;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;

class ArchiveKindTest extends ArchivesFixture {
    // AR-11
    @Test
    void aSecondApplyChangesNothingAndNewBytesDo() {
        assertThat(Rig.lines(rig.apply(machine(archive("x/app", "/srv/app", first)))))
                .containsExactly("x/app created");
        rig.restart(Probe.NONE, Probe.NONE);
        assertThat(Rig.lines(rig.apply(machine(archive("x/app", "/srv/app", first)))))
                .containsExactly("x/app unchanged");
        assertThat(Rig.lines(rig.apply(machine(archive("x/app", "/srv/app", second)))))
                .containsExactly("x/app updated");
        assertThat(rig.tree()).containsExactly("/srv/", "/srv/app/", "/srv/app/a = 2");
    }

    // AR-14
    @Test
    void aMemberThatTheNextArchiveLacksGoesAndWhatOthersAddedIsCarriedOverAndReported() {
        rig.apply(machine(archive("x/app", "/srv/app", first)));
        rig.write("/srv/app/lib/deep/added", "by hand");
        rig.write("/srv/app/data/more", "too");
        Report report = rig.apply(machine(archive("x/app", "/srv/app", second)));
        assertThat(report.outcomes().getFirst().detail()).isEqualTo("replaced; kept what others added: data/, lib/");
        assertThat(rig.tree())
                .containsExactly(
                        "/srv/",
                        "/srv/app/",
                        "/srv/app/a = 2",
                        "/srv/app/data/",
                        "/srv/app/data/more = too",
                        "/srv/app/lib/",
                        "/srv/app/lib/deep/",
                        "/srv/app/lib/deep/added = by hand");
    }

    @Test
    void driftOfWhatWasUnpackedIsMendedAndNamed() throws Exception {
        rig.apply(machine(archive("x/app", "/srv/app", first)));
        rig.write("/srv/app/lib/b", "broken");
        rig.delete("/srv/app/a");
        Files.setPosixFilePermissions(rig.path("/srv/app/lib"), PosixFilePermissions.fromString("rwx------"));
        Report report = rig.apply(machine(archive("x/app", "/srv/app", first)));
        assertThat(report.outcomes().getFirst().detail()).isEqualTo("mended: a, lib, lib/b were changed");
        assertThat(rig.text("/srv/app/lib/b")).isEqualTo("1");
        assertThat(rig.text("/srv/app/a")).isEqualTo("1");
        assertThat(rig.plan(machine(archive("x/app", "/srv/app", first))).pending())
                .isZero();
    }

    @Test
    void undeclaredWhatWasUnpackedGoesAndWhatOthersAddedStays() {
        rig.apply(machine(archive("x/app", "/srv/app", first)));
        rig.write("/srv/app/lib/added", "by hand");
        rig.write("/srv/app/lib/deep/c", "changed");
        Report report = rig.apply(machine());
        assertThat(Rig.lines(report)).containsExactly("x/app removed");
        assertThat(rig.tree())
                .containsExactly(
                        "/srv/",
                        "/srv/app/",
                        "/srv/app/lib/",
                        "/srv/app/lib/added = by hand",
                        "/srv/app/lib/deep/",
                        "/srv/app/lib/deep/c.mesh-removed = changed");
        assertThat(rig.record().applied()).isEmpty();
    }

    @Test
    void undeclaredAndUntouchedNothingOfItIsLeft() {
        rig.apply(machine(archive("x/app", "/opt/made/app", first)));
        rig.apply(machine());
        assertThat(rig.tree()).isEmpty();
    }

    @Test
    void aDirectoryThatWasThereKeepsItsFilesBesideTheArchives() {
        rig.write("/srv/app/mine", "mine");
        rig.write("/srv/app/a", "other");
        rig.apply(machine(archive("x/app", "/srv/app", second)));
        assertThat(rig.tree())
                .containsExactly(
                        "/srv/",
                        "/srv/app/",
                        "/srv/app/a = 2",
                        "/srv/app/a.mesh-removed = other",
                        "/srv/app/mine = mine");
        rig.apply(machine());
        assertThat(rig.text("/srv/app/mine")).isEqualTo("mine");
        assertThat(rig.there("/srv/app/a")).isFalse();
    }

    // SPEC 1, "Pruning"
    @Test
    void aDeliveredVersionIsNeverRemovedByBeingUndeclared() {
        String path = "/usr/lib/nox-mesh-host/versions/2.0";
        rig.apply(machine(archive("x/host", path, first)));
        rig.write(path + "/added", "x");
        rig.apply(machine(archive("x/host", path, second)));
        assertThat(rig.there(path + "/added")).isFalse();
        Report report = rig.apply(machine(archive("x/host", "/usr/lib/nox-mesh-host/versions/3.0", first)));
        assertThat(Rig.lines(report)).containsExactly("x/host created", "x/host~1 forgotten");
        rig.apply(machine());
        assertThat(rig.text(path + "/a")).isEqualTo("2");
        assertThat(rig.text("/usr/lib/nox-mesh-host/versions/3.0/a")).isEqualTo("1");
    }

    // SU-13
    @Test
    void theArrivalOfAVersionIsNotedBeforeItAppearsAndAgainWithOtherBytes() {
        String path = "/usr/lib/nox-mesh-host/versions/2.0";
        rig.apply(machine(archive("x/host", path, first)));
        rig.apply(machine(archive("x/host", path, first)));
        rig.apply(machine(archive("x/host", path, second)));
        assertThat(rig.arrivals()).containsExactly("2.0 absent 64", "2.0 there 64");
    }
}
