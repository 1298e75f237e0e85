package io.meshhost.launch;

import static io.meshhost.launch.Scenes.delivered;
import static io.meshhost.launch.Scenes.machine;
import static io.meshhost.launch.Scenes.placedByHand;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What is chosen when the limit of failures is reached. */
class GoingBackChoiceTest {
    private static Scenes failing(String version) {
        return machine().failed(3).failing(delivered(version));
    }

    @Test
    void theFirstKnownGoodVersionThatStandsComesFirst() {
        assertThat(failing("d")
                        .arrived("a", 1)
                        .arrived("b", 2)
                        .arrived("c", 3)
                        .arrived("d", 4)
                        .rejected("b")
                        .knownGood("d", "gone", "b", "a")
                        .choice())
                .isEqualTo("go back to version a, reject d, pin a");
    }

    @Test
    void withoutAKnownGoodOneTheNewestOther() {
        assertThat(failing("c")
                        .arrived("a", 1)
                        .arrived("b", 2)
                        .arrived("c", 3)
                        .knownGood("c")
                        .choice())
                .isEqualTo("go back to version b, reject c, pin b");
    }

    @Test
    void withoutAnotherVersionTheOnePlacedByHandAndNoPin() {
        assertThat(failing("a").arrived("a", 1).choice())
                .isEqualTo("go back to the host placed by hand, reject a, no pin");
    }

    @Test
    void theSameBytesUnderAnotherNameAreNothingToGoBackTo() {
        assertThat(failing("b")
                        .arrived("a", 1)
                        .arrived("b", 2)
                        .sameBytes("a", "b")
                        .knownGood("a")
                        .choice())
                .isEqualTo("go back to the host placed by hand, reject b, no pin");
    }

    @Test
    void nothingLeftIsAHalt() {
        assertThat(failing("a").arrived("a", 1).withoutPlaced().choice()).isEqualTo("halt: rollback failed");
    }

    @Test
    void aHostPlacedByHandHasNothingToGoBackTo() {
        assertThat(machine().failed(3).choice()).isEqualTo("halt: rollback failed");
        assertThat(machine().failed(3).failing(placedByHand()).choice()).isEqualTo("halt: rollback failed");
    }

    @Test
    void whenNobodyKnowsWhichOneFailedItIsTheOneThatWouldRun() {
        assertThat(machine().failed(3).arrived("a", 1).arrived("b", 2).choice())
                .isEqualTo("go back to version a, reject b, pin a");
        assertThat(machine().failed(3).withoutPlaced().choice()).isEqualTo("halt: no host binary");
    }

    @Test
    void atTheLimitAgainAfterARollbackItHalts() {
        assertThat(failing("a")
                        .arrived("a", 1)
                        .arrived("b", 2)
                        .rejected("b")
                        .pinned("a")
                        .attempted()
                        .choice())
                .isEqualTo("halt: rolled back and still failing");
        assertThat(failing("a").arrived("a", 1).attempted().withScript().choice())
                .isEqualTo("halt: rolled back and still failing");
    }

    @Test
    void aRollbackProgramIsRunInstead() {
        assertThat(failing("b").arrived("a", 1).arrived("b", 2).withScript().choice())
                .isEqualTo("run the rollback program");
    }

    @Test
    void anOperatorsPinIsNotUndone() {
        assertThat(failing("a")
                        .arrived("a", 1)
                        .arrived("b", 2)
                        .pinnedByOperator("a")
                        .choice())
                .isEqualTo("halt: the version that an operator pinned fails");
        assertThat(failing("b")
                        .arrived("a", 1)
                        .arrived("b", 2)
                        .sameBytes("a", "b")
                        .pinnedByOperator("a")
                        .choice())
                .isEqualTo("halt: the version that an operator pinned fails");
    }

    @Test
    void aRollbacksOwnPinIsReplaced() {
        assertThat(failing("a").arrived("z", 1).arrived("a", 2).pinned("a").choice())
                .isEqualTo("go back to version z, reject a, pin z");
    }
}
