package io.meshhost.apply;

import static io.meshhost.apply.testing.Declared.archive;
import static io.meshhost.apply.testing.Declared.machine;
import static io.meshhost.apply.testing.Declared.manifest;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.apply.testing.Rig;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The store keeps what is declared or recorded, and nothing else once all is well. */
class KeptBlobsTest {
    private static final String NOWHERE = "e".repeat(64);

    @TempDir
    Path base;

    private Rig rig;
    private String first;
    private String second;

    @BeforeEach
    void archivesArePublished() {
        rig = new Rig(base).impatient();
        first = rig.bundles().publish("a=1\n");
        second = rig.bundles().publish("a=2\n");
    }

    @AfterEach
    void recordIsClosed() {
        rig.close();
    }

    @Test
    void theBlobOfAnEarlierVersionGoesWithTheApplyThatReplacedIt() {
        rig.apply(machine(archive("x/app", "/srv/app", first)));
        rig.apply(machine(archive("x/app", "/srv/app", second)));
        rig.apply(machine());
        assertThat(rig.bundles().pruned()).containsExactly(Set.of(first), Set.of(second), Set.of());
    }

    @Test
    void anApplyThatChangesNothingPrunesNothing() {
        rig.apply(machine(archive("x/app", "/srv/app", first)));
        rig.apply(machine(archive("x/app", "/srv/app", first)));
        assertThat(rig.bundles().pruned()).hasSize(1);
    }

    @Test
    void aManifestLeavesWhatTheRecordSaysOfOtherSlugs() {
        rig.apply(machine(archive("x/app", "/srv/app", first)));
        rig.apply(manifest("y", archive("y/app", "/srv/other", second)));
        assertThat(rig.bundles().pruned().getLast()).containsExactlyInAnyOrder(first, second);
    }

    @Test
    void whereSomethingFailedEverythingIsKept() {
        rig.apply(machine(archive("x/app", "/srv/app", first)));
        Report report =
                rig.apply(machine(archive("x/app", "/srv/app", second), archive("x/more", "/srv/more", NOWHERE)));
        assertThat(report.ok()).isFalse();
        assertThat(rig.bundles().pruned()).containsExactly(Set.of(first));
    }
}
