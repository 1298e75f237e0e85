package io.meshhost.launch;

import static io.meshhost.launch.Scenes.machine;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Which host runs. */
class ChoosingTest {
    @Test
    void theOnePlacedByHandRunsWhereNothingIsDelivered() {
        assertThat(machine().choice()).isEqualTo("run the host placed by hand, no version is delivered");
    }

    @Test
    void withoutAnyHostItHalts() {
        assertThat(machine().withoutPlaced().choice()).isEqualTo("halt: no host binary");
    }

    @Test
    void theNewestByArrivalRunsWhateverItsNameOrTime() {
        assertThat(machine()
                        .arrived("1.9", 2)
                        .arrived("1.10", 1)
                        .arrived("2.0", 3)
                        .arrived("1.0", 4)
                        .choice())
                .isEqualTo("run version 1.0, it arrived last");
    }

    @Test
    void oneWithoutARecordCountsBeforeAllThatHaveOne() {
        assertThat(machine().found("by-hand", Long.MAX_VALUE).arrived("old", 1).choice())
                .isEqualTo("run version old, it arrived last");
        assertThat(machine().found("a", 10).found("b", 20).choice())
                .isEqualTo("run version b, its directory is the newest");
    }

    @Test
    void aTieIsBrokenByNameAndSaid() {
        Scene scene = machine().found("b", 10).found("a", 10).scene();
        assertThat(Scenes.words(Scenes.CHOOSING.choose(scene))).isEqualTo("run version a, its directory is the newest");
        assertThat(Scenes.CHOOSING.pick(scene).note())
                .contains("versions a and b have the same time and no recorded arrival; the first by name runs");
    }

    @Test
    void aRejectedOneIsPassedOver() {
        assertThat(machine().arrived("a", 1).arrived("b", 2).rejected("b").choice())
                .isEqualTo("run version a, it arrived last");
        assertThat(machine().arrived("b", 2).rejected("b").choice())
                .isEqualTo("run the host placed by hand, every delivered version is rejected");
        assertThat(machine().arrived("b", 2).rejected("b").withoutPlaced().choice())
                .isEqualTo("halt: no host binary");
    }

    @Test
    void thePinnedOneRunsAndSaysWhoPinnedIt() {
        assertThat(machine().arrived("a", 1).arrived("b", 2).pinned("a").choice())
                .isEqualTo("run version a, it is pinned by a rollback");
        assertThat(machine()
                        .arrived("a", 1)
                        .arrived("b", 2)
                        .pinnedByOperator("a")
                        .choice())
                .isEqualTo("run version a, it is pinned by an operator");
    }

    @Test
    void aPinOnWhatIsNotThereOrIsRejectedIsIgnoredAndSaid() {
        Scene missing = machine().arrived("a", 1).pinnedByOperator("../x").scene();
        assertThat(Scenes.CHOOSING.pick(missing).note())
                .contains("the pinned version '../x' is not delivered; ignoring the pin");
        assertThat(Scenes.words(Scenes.CHOOSING.choose(missing))).isEqualTo("run version a, it arrived last");
        Scene rejected = machine()
                .arrived("a", 1)
                .arrived("b", 2)
                .rejected("b")
                .pinned("b")
                .scene();
        assertThat(Scenes.CHOOSING.pick(rejected).note())
                .contains("the pinned version 'b' is rejected; ignoring the pin");
        assertThat(Scenes.words(Scenes.CHOOSING.choose(rejected))).isEqualTo("run version a, it arrived last");
    }

    @Test
    void aRollbacksPinHoldsAsLongAsNothingElseArrives() {
        assertThat(machine()
                        .arrived("z", 1)
                        .arrived("a", 2)
                        .arrived("b", 3)
                        .rejected("b")
                        .pinned("z")
                        .choice())
                .isEqualTo("run version z, it is pinned by a rollback");
    }

    @Test
    void aRollbacksPinEndsWhenOtherBytesThanTheRejectedArrive() {
        String ended = "run version c, it arrived last, the pin has ended";
        Scenes rolledBack =
                machine().arrived("a", 1).arrived("b", 2).rejected("b").pinned("a");
        assertThat(rolledBack.arrived("c", 3).choice()).isEqualTo(ended);
        // Gone since, with a record of it or without.
        assertThat(machine()
                        .arrived("a", 1)
                        .onceRejected("b")
                        .gone("b", 2)
                        .pinned("a")
                        .arrived("c", 3)
                        .choice())
                .isEqualTo(ended);
        assertThat(machine()
                        .found("a", 1)
                        .onceRejected("b")
                        .pinned("a")
                        .arrived("c", 1)
                        .choice())
                .isEqualTo(ended);
    }

    @Test
    void aRollbacksPinEndsWhenOtherBytesArriveUnderTheRejectedName() {
        assertThat(machine()
                        .arrived("a", 1)
                        .arrived("b", 3)
                        .onceRejected("b")
                        .pinned("a")
                        .choice())
                .isEqualTo("run version b, it arrived last, the pin has ended");
    }

    @Test
    void theRejectedBytesThatComeAgainUnderAnotherNameChangeNothing() {
        Scenes rolledBack =
                machine().arrived("a", 1).arrived("b", 2).rejected("b").pinned("a");
        assertThat(rolledBack.arrived("again", 3).rejectedByBytes("again").choice())
                .isEqualTo("run version a, it is pinned by a rollback");
        assertThat(rolledBack
                        .arrived("c", 4)
                        .arrived("once-more", 5)
                        .rejectedByBytes("once-more")
                        .choice())
                .isEqualTo("run version c, it arrived last, the pin has ended");
    }

    @Test
    void anOperatorsPinHoldsWhateverArrives() {
        assertThat(machine()
                        .arrived("a", 1)
                        .arrived("b", 2)
                        .rejected("b")
                        .pinnedByOperator("a")
                        .arrived("c", 3)
                        .choice())
                .isEqualTo("run version a, it is pinned by an operator");
    }

    @Test
    void aHaltHoldsAndIsNotWrittenAgain() {
        assertThat(machine().arrived("a", 1).halted("rollback failed").choice())
                .isEqualTo("halt: rollback failed (known)");
        assertThat(machine().halted("").failed(3).choice()).isEqualTo("halt:  (known)");
    }

    @Test
    void twoFailuresAreNotThree() {
        assertThat(machine().arrived("a", 1).arrived("b", 2).failed(2).choice())
                .isEqualTo("run version b, it arrived last");
    }
}
