package io.meshhost.launch;

import static io.meshhost.launch.Scenes.delivered;
import static io.meshhost.launch.Scenes.machine;
import static io.meshhost.launch.Scenes.placedByHand;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Whose the failures in a row are: a host that is run instead of the one that failed has all of its own attempts. */
class AttemptsTest {
    /** Version b failed so often. */
    private static Scenes failing(int times) {
        return machine().arrived("a", 1).arrived("b", 2).failed(times).failing(delivered("b"));
    }

    private static int count(Scenes scenes) {
        return ((Choice.Run) Scenes.CHOOSING.choose(scenes.scene())).count();
    }

    @Test
    void theOneThatFailedGoesOnCounting() {
        assertThat(failing(2).choice()).isEqualTo("run version b, it arrived last");
        assertThat(count(failing(2))).isEqualTo(2);
    }

    @Test
    void aVersionThatArrivesBeforeTheLimitHasAllOfItsAttempts() {
        assertThat(failing(2).arrived("c", 3).choice())
                .isEqualTo("run version c, it arrived last, from 0 instead of version b");
        assertThat(count(failing(2).arrived("c", 3))).isZero();
    }

    @Test
    void oneThatArrivesWithTheLastFailureHasTooAndTheFailingOneIsRejected() {
        assertThat(failing(3).arrived("c", 3).choice())
                .isEqualTo("run version c, it arrived last, from 0 instead of version b, reject b");
        assertThat(count(failing(3).arrived("c", 3))).isZero();
        // A rollback program is for when there is nothing newer.
        assertThat(failing(3).withScript().arrived("c", 3).choice())
                .isEqualTo("run version c, it arrived last, from 0 instead of version b, reject b");
    }

    @Test
    void otherBytesUnderTheNameHaveTheirOwnAttemptsAndAreNotRejectedForTheOthers() {
        for (int times = 1; times <= 3; times++) {
            assertThat(machine()
                            .arrived("b", 7)
                            .failed(times)
                            .failing("b", 2, Optional.of("sha256:before"))
                            .choice())
                    .isEqualTo("run version b, it arrived last, from 0 instead of version b with other bytes");
        }
    }

    @Test
    void theSameBytesThatArriveAgainGoOnCounting() {
        Scenes again = machine().arrived("a", 1).arrived("b", 7);
        assertThat(again.failed(2).failing("b", 2, Optional.of("sha256:b")).choice())
                .isEqualTo("run version b, it arrived last");
        assertThat(again.failed(3).failing("b", 2, Optional.of("sha256:b")).choice())
                .isEqualTo("go back to version a, reject b, pin a");
    }

    @Test
    void theSameBytesUnderAnotherNameGoOnCounting() {
        assertThat(count(failing(2).arrived("c", 3).sameBytes("b", "c"))).isEqualTo(2);
        assertThat(failing(3).arrived("c", 3).sameBytes("b", "c").choice())
                .isEqualTo("go back to version a, reject b, pin a");
    }

    @Test
    void onePlacedByHandAndOneDeliveredAreNeverTheSame() {
        assertThat(machine().failed(3).failing(placedByHand()).arrived("a", 1).choice())
                .isEqualTo("run version a, it arrived last, from 0 instead of the host placed by hand");
        assertThat(machine().failed(2).failing(delivered("a")).choice())
                .isEqualTo("run the host placed by hand, no version is delivered, from 0 instead of version a");
    }

    @Test
    void theOneThatAnOperatorPinnedMeanwhileHasItsOwnAttempts() {
        assertThat(failing(3).pinnedByOperator("a").choice())
                .isEqualTo("run version a, it is pinned by an operator, from 0 instead of version b, reject b");
    }

    @Test
    void afterARollbackToo() {
        Scenes rolledBack = machine()
                .arrived("a", 1)
                .arrived("b", 2)
                .rejected("b")
                .pinned("a")
                .attempted()
                .failed(3)
                .failing(delivered("a"));
        assertThat(rolledBack.choice()).isEqualTo("halt: rolled back and still failing");
        assertThat(rolledBack.arrived("c", 3).choice())
                .isEqualTo("run version c, it arrived last, the pin has ended, from 0 instead of version a, reject a");
        assertThat(((Choice.Run) Scenes.CHOOSING.choose(rolledBack.scene())).attempted())
                .isTrue();
    }

    @Test
    void whatIsRejectedAlreadyIsNotRejectedAgain() {
        assertThat(failing(3).rejected("b").choice())
                .isEqualTo("run version a, it arrived last, from 0 instead of version b");
    }

    @Test
    void whereNobodyKnowsWhatFailedTheCountStands() {
        Scenes unknown = machine().arrived("a", 1).arrived("b", 2).failed(2);
        assertThat(unknown.choice()).isEqualTo("run version b, it arrived last");
        assertThat(count(unknown)).isEqualTo(2);
    }

    @Test
    void withoutAFailureNothingIsSaid() {
        assertThat(failing(0).arrived("c", 3).choice()).isEqualTo("run version c, it arrived last");
    }
}
