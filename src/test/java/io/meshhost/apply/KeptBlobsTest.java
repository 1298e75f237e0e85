package io.meshhost.apply;

import static io.meshhost.apply.testing.Declared.archive;
import static io.meshhost.apply.testing.Declared.machine;
import static io.meshhost.apply.testing.Declared.manifest;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

/** The store keeps what is declared or recorded, and nothing else once all is well. */
class KeptBlobsTest extends ArchivesFixture {
    private static final String NOWHERE = "e".repeat(64);

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
