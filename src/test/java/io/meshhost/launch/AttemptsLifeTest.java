package io.meshhost.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Whose the failures are, at work: in the file, in the status, and for the supervisor that comes next. */
class AttemptsLifeTest extends WithSupervisor {
    /** Version a, the first that arrived, has failed so often in a row, and the back-off is on. */
    private void failed(int times) throws Exception {
        supervised.room.write("arrivals", "1 a\n").write("start-attempts", (times - 1) + "\n");
        supervised.set("BACKOFF", "60").host("a", "exit 1").start().until("\"state\":\"waiting\"");
        assertThat(supervised.asked()).contains("\"failures\":" + times);
    }

    /** As {@link #failed}, without a back-off; while it still ran there arrived that. */
    private void failedWhileThereArrived(int times, String name, String numbers, String script) throws Exception {
        supervised.room.write("arrivals", "1 a\n").write("start-attempts", (times - 1) + "\n");
        // Its own file may be written over while it runs.
        supervised
                .host("a", "exec sh -c 'echo up >> log; until [ -e go ]; do sleep 0.02; done; exit 1'")
                .start()
                .untilLogged("up");
        supervised.room.write("arrivals", numbers);
        supervised.host(name, script);
        Files.createFile(temp.toRealPath().resolve("go"));
    }

    private void arrives(String name, String numbers) {
        supervised.room.write("arrivals", numbers);
        supervised.host(name, WAITS);
    }

    private void counts(int failures) {
        supervised.until("\"failures\":" + failures + ",");
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () -> assertThat(supervised.room.read("start-attempts")).isEqualTo(failures + "\n"));
    }

    @Test
    void aMendIsCountedFromZeroInTheFileAndInTheStatus() throws Exception {
        failedWhileThereArrived(2, "b", "1 a\n2 b\n", WAITS);
        supervised.until("\"version\":\"b\"");
        counts(0);
        assertThat(supervised.said).contains("version b is counted from 0: what failed (2 consecutive) was version a");
        assertThat(supervised.room.read("rejected")).isEqualTo("(none)");
    }

    @Test
    void oneThatNeverConnectsIsReadyByTakingItsFreshCountAway() throws Exception {
        failedWhileThereArrived(
                2,
                "b",
                "1 a\n2 b\n",
                "until grep -qx 0 state/start-attempts; do sleep 0.02; done; rm state/start-attempts; " + WAITS);
        supervised.until("\"version\":\"b\"");
        supervised.until("\"state\":\"running\"");
    }

    @Test
    void theStatusForetellsIt() throws Exception {
        failed(2);
        assertThat(supervised.asked()).contains("\"then\":\"starts version a; after 1 failure more it halts: ");
        arrives("b", "1 a\n2 b\n");
        supervised.term();
        assertThat(supervised.status()).isZero();
        supervised.host("b", "exit 1").start().until("\"state\":\"waiting\"");
        assertThat(supervised.asked())
                .contains(
                        "\"failures\":1,",
                        "\"then\":\"starts version b; after 2 failures more it goes back to version a");
    }

    @Test
    void otherBytesUnderTheNameAreCountedFromZero() throws Exception {
        failedWhileThereArrived(2, "a", "2 a\n", WAITS);
        supervised.until("\"arrival\":2,");
        counts(0);
        assertThat(supervised.said)
                .contains("version a is counted from 0: what failed (2 consecutive) was version a with other bytes");
    }

    @Test
    void whatFailedAsOftenAsTheLimitSaysIsRejectedAndNoRollbackIsRemembered() throws Exception {
        failedWhileThereArrived(3, "b", "1 a\n2 b\n", WAITS);
        supervised.until("\"version\":\"b\"");
        counts(0);
        await().untilAsserted(() -> assertThat(supervised.room.read("rejected")).matches("sha256:[0-9a-f]{64} a\n"));
        assertThat(supervised.room.read("rollback-pinned")).isEqualTo("(none)");
        assertThat(supervised.room.read("rollback-attempted")).isEqualTo("(none)");
    }

    private void theSupervisorEnds() throws Exception {
        supervised.term();
        assertThat(supervised.status()).isZero();
    }

    @Test
    void theNextSupervisorKnowsWhatFailed() throws Exception {
        failed(2);
        theSupervisorEnds();
        arrives("b", "1 a\n2 b\n");
        supervised.start().until("\"version\":\"b\"");
        counts(0);
    }

    @Test
    void alsoWhenTheOneBeforeWasKilled() throws Exception {
        supervised.room.write("arrivals", "1 a\n").write("start-attempts", "1\n");
        supervised.set("BACKOFF", "60").host("a", "exit 1");
        try (Launched launched = Launched.start(supervised.environment(), temp.resolve("launched.log"))) {
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> supervised.room.read("supervisor.json").contains("\"failures\":2,"));
            launched.signal("KILL");
            assertThat(launched.status()).isEqualTo(137);
        }
        arrives("b", "1 a\n2 b\n");
        supervised.start().until("\"version\":\"b\"");
        counts(0);
    }

    @Test
    void andThatTheSameGoesOn() throws Exception {
        failed(2);
        theSupervisorEnds();
        supervised.host("a", WAITS).start().until("\"state\":\"starting\"");
        counts(2);
    }

    @Test
    void oneThatEndedBeforeItStartedAnythingChangesNothingOfThat() throws Exception {
        failed(2);
        theSupervisorEnds();
        supervised.start().term();
        assertThat(supervised.status()).isZero();
        arrives("b", "1 a\n2 b\n");
        supervised.start().until("\"version\":\"b\"");
        counts(0);
    }

    @Test
    void whereAnotherLauncherHasCountedSinceTheFileStands() throws Exception {
        failed(1);
        theSupervisorEnds();
        supervised.room.write("start-attempts", "2\n");
        arrives("b", "1 a\n2 b\n");
        supervised.start().until("\"version\":\"b\"");
        counts(2);
    }

    @Test
    void withoutAWordOfAnEarlierSupervisorTheFileStands() throws Exception {
        supervised.room.write("start-attempts", "2\n");
        supervised.host("b", WAITS).start().until("\"version\":\"b\"");
        counts(2);
    }
}
