package io.meshhost.launch;

import static io.meshhost.launch.Lives.LIMITS;
import static io.meshhost.launch.Lives.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Without a back-off a failure's successor is started before it is decided for; it is the one that is decided for. */
class HasteTest extends WithSupervisor {
    @BeforeEach
    void withoutABackOff() {
        supervised.set("BACKOFF", "0");
    }

    /** The host changes the files and dies, so that between the change and the choice there is no time at all. */
    @ParameterizedTest
    @CsvSource(textBlock = """
                    printf 'b\\n' > state/rollback-pinned
                    mv state/pin-of-b state/rollback-pinned
                    chmod -x libexec/versions/a/nox-mesh-host
                    mv libexec/versions/a libexec/versions/.a
                    mv libexec/versions libexec/old; mv libexec/new libexec/versions
                    """, delimiter = '|')
    void aChangeInTheLastMomentCounts(String change) throws Exception {
        supervised.host("a", "echo a >> log; sleep 0.3; " + change + "; exit 1").host("b", "echo b >> log; " + WAITS);
        supervised.room.write("arrivals", "2 a\n1 b\n").write("pin-of-b", "b\n");
        Path other = supervised.room.root.resolve("libexec/new/b");
        Files.createDirectories(other);
        Files.copy(
                supervised.room.versions().resolve("b/nox-mesh-host"),
                other.resolve("nox-mesh-host"),
                StandardCopyOption.COPY_ATTRIBUTES);
        supervised.start().until("\"version\":\"b\"");
        await().untilAsserted(() -> assertThat(supervised.lines("log")).containsExactly("a", "b"));
        assertThat(supervised.alive()).hasSize(1);
    }

    @Test
    void aHaltInTheLastMomentCounts() throws Exception {
        supervised
                .host("a", "echo a >> log; sleep 0.3; echo enough > state/halted; exit 1")
                .start();
        assertThat(supervised.status()).isZero();
        assertThat(supervised.lines("log")).containsExactly("a");
        assertThat(supervised.alive()).isEmpty();
    }

    @Test
    void oneThatDiesAgainAndAgainIsCountedAndGivenUp() throws Exception {
        supervised.host("a", "echo a >> log; sleep 0.2; kill -KILL $$").host("b", "echo b >> log; " + WAITS);
        supervised.room.write("arrivals", "2 a\n1 b\n");
        supervised.start().until("\"version\":\"b\"");
        await().untilAsserted(() -> assertThat(supervised.lines("log")).containsExactly("a", "a", "a", "b"));
        assertThat(supervised.said)
                .contains("the host exited 137 (1 consecutive); restarting in 0 s")
                .contains("the host exited 137 (3 consecutive); restarting in 0 s")
                .contains("the host failed 3 times. rolling back to version b.");
    }

    @Test
    void whatWasHastenedAndNotDecidedForDoesNotStay() throws Exception {
        supervised.host("a", WAITS).host("b", WAITS);
        Map<String, String> environment = supervised.environment();
        Means means = Means.real(NoHostEnv.settings(environment), environment, supervised.said::add);
        try (Inbox inbox = new Inbox()) {
            Running running = new Running(new Starter(means), inbox);
            Host a = host("a");
            running.hasten(new Foreseen(Scenes.machine().scene(), a), wanted(a));
            await().untilAsserted(() -> assertThat(supervised.alive()).hasSize(1));
            assertThat(running.seen()).isPresent();
            assertThat(running.host(wanted(host("b")))).isEmpty();
            assertThat(running.seen()).isEmpty();
            await().untilAsserted(() -> assertThat(supervised.lines("pids")).hasSize(2));
            await().untilAsserted(() -> assertThat(supervised.alive()).hasSize(1));
            running.child().orElseThrow().end();
            assertThat(supervised.alive()).isEmpty();
        }
    }

    @Test
    void nothingIsForeseenWhereNothingStartsAtOnce() {
        Limits hurried = new Limits(3, Duration.ZERO, LIMITS.start(), LIMITS.stop(), false);
        Limits once = new Limits(3, Duration.ZERO, LIMITS.start(), LIMITS.stop(), true);
        assertThat(foreseen(hurried, 0))
                .hasValueSatisfying(seen -> assertThat(seen.host().words()).isEqualTo("version b"));
        assertThat(foreseen(LIMITS, 0)).as("a back-off").isEmpty();
        assertThat(foreseen(once, 0)).as("one run").isEmpty();
        assertThat(foreseen(hurried, 2)).as("the last attempt").isEmpty();
    }

    private static Optional<Foreseen> foreseen(Limits limits, int count) {
        Life.Start start = new Life.Start(Lives.B, "it arrived last", Lives.START, count, false);
        State ready = new State(new Life.Ready(start, NOW - 1, OptionalLong.empty()), count, 0);
        Scene scene = Scenes.machine().arrived("a", 1).arrived("b", 2).scene();
        return Foreseen.of(new LifeCycle(limits), Scenes.CHOOSING, ready, scene, NOW);
    }

    private Host host(String name) {
        return new Host.Delivered(name, supervised.room.versions().resolve(name).resolve("nox-mesh-host"));
    }

    private static Starter.Wanted wanted(Host host) {
        return new Starter.Wanted(host, Optional.empty(), Optional.empty());
    }
}
