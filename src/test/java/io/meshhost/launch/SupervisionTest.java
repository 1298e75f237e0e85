package io.meshhost.launch;

import static io.meshhost.launch.Supervised.say;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The loop at work: how it hears of its host, and what it does about silence. */
class SupervisionTest extends WithSupervisor {
    @Test
    void aHostThatSaysReadyIsReadyAndWhatItSaysElseIsIgnored() throws Exception {
        supervised.host("a", WAITS).start().until("\"state\":\"starting\"");
        try (SocketChannel line = supervised.line()) {
            say(line, "\u00e9\u0000 what is this?\n\nREADY\nready now\n" + "ready".repeat(100_000));
            supervised.until("\"state\":\"starting\"");
            say(line, "ready");
            supervised.until("\"state\":\"running\"");
        }
        assertThat(supervised.asked()).contains("\"why\":\"its directory is the newest\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rm state/start-attempts", "echo a > state/known-good"})
    void aHostThatNeverConnectsIsReadyByItsFiles(String deed) throws Exception {
        supervised.room.write("start-attempts", "1\n");
        supervised.host("a", "sleep 0.2; " + deed + "; " + WAITS).start().until("\"state\":\"running\"");
        assertThat(supervised.asked()).contains("\"failures\":0");
    }

    @Test
    void afterAFreshCountToo() throws Exception {
        supervised.room.write("start-attempts", "0\n");
        supervised
                .host("a", "sleep 0.2; rm state/start-attempts; " + WAITS)
                .start()
                .until("\"state\":\"running\"");
    }

    @Test
    void knownGoodRewrittenWithTheSameContentIsAlsoASign() throws Exception {
        supervised.room.write("known-good", "a\n");
        supervised
                .host("a", "sleep 0.2; echo a > state/new; mv state/new state/known-good; " + WAITS)
                .start()
                .until("\"state\":\"running\"");
    }

    @Test
    void aHostThatSaysNothingIsEndedAndCounted() throws Exception {
        supervised.set("START_TIMEOUT", "0.3").set("BACKOFF", "60");
        supervised
                .host("a", "trap 'echo TERM >> log; exit 0' TERM; while :; do sleep 0.02; done")
                .start()
                .until("\"state\":\"waiting\"");
        assertThat(supervised.asked())
                .contains("\"failures\":1", "it hung (1 consecutive)", "\"next\":\"", "\"then\":\"starts version a;");
        assertThat(supervised.room.read("start-attempts")).isEqualTo("1\n");
        assertThat(supervised.lines("log")).containsExactly("TERM");
    }

    @Test
    void signsOfLifePutTheTimeOutOff() throws Exception {
        supervised.set("START_TIMEOUT", "1");
        supervised.host("a", WAITS).start().until("\"state\":\"starting\"");
        long begun = System.nanoTime();
        try (SocketChannel line = supervised.line()) {
            await().pollInterval(Duration.ofMillis(100))
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> {
                        say(line, "alive");
                        return System.nanoTime() - begun > Duration.ofSeconds(2).toNanos();
                    });
        }
        assertThat(supervised.asked()).contains("\"state\":\"starting\"", "\"failures\":0");
    }

    @Test
    void oneThatDoesNotEndIsKilled() throws Exception {
        supervised.set("START_TIMEOUT", "0.2").set("STOP_TIMEOUT", "0.3").set("BACKOFF", "60");
        supervised
                .host("a", "trap '' TERM; while :; do sleep 0.02; done")
                .start()
                .until("\"state\":\"waiting\"");
        assertThat(supervised.alive()).isEmpty();
        assertThat(supervised.said).contains("it did not end within 300 ms; killing it");
    }

    @Test
    void anEndIsSeenThoughAGrandchildHoldsTheStreams() throws Exception {
        supervised.set("BACKOFF", "60");
        supervised.host("a", "sleep 60 & echo $! >> pids; exit 3").start().until("\"state\":\"waiting\"");
        assertThat(supervised.asked()).contains("the host exited 3 (1 consecutive)");
    }

    @Test
    void termInTheBackOffEndsItAtOnce() throws Exception {
        supervised.set("BACKOFF", "300");
        supervised.host("a", "exit 1").start().until("\"state\":\"waiting\"");
        long told = System.nanoTime();
        supervised.term();
        assertThat(supervised.status()).isZero();
        assertThat(Duration.ofNanos(System.nanoTime() - told)).isLessThan(Duration.ofSeconds(20));
        assertThat(supervised.lines("pids")).hasSize(1);
    }

    @Test
    void withoutABackOffEveryFailureIsCounted() throws Exception {
        supervised.set("BACKOFF", "0");
        supervised.host("a", "exit 1").start();
        assertThat(supervised.status()).isZero();
        assertThat(supervised.lines("pids")).hasSize(3);
        assertThat(supervised.room.read("halted")).isEqualTo("rollback failed\n");
    }

    @Test
    void aRollbacksPinThatHasEndedIsTakenAway() throws Exception {
        supervised.host("a", WAITS).host("b", "exit 1");
        supervised.room.write("arrivals", "1 a\n2 b\n");
        supervised.start().until("\"why\":\"it is pinned by a rollback\"");
        assertThat(supervised.room.read("rollback-pinned")).isEqualTo("a\n");
        supervised.host("c", WAITS);
        supervised.room.write("arrivals", "1 a\n2 b\n3 c\n");
        supervised.alive().forEach(ProcessHandle::destroy);
        supervised.until("\"version\":\"c\"");
        await().untilAsserted(() ->
                assertThat(supervised.room.read("rollback-pinned")).isEqualTo("(none)"));
    }

    @Test
    void aSecondSupervisorIsRefusedAndTheHolderNamed() throws Exception {
        supervised.host("a", WAITS).start().until("\"state\":\"starting\"");
        try (Supervised second = new Supervised(temp.toRealPath())) {
            second.start();
            org.assertj.core.api.Assertions.assertThatThrownBy(second::status)
                    .hasRootCauseMessage("cannot supervise: another supervisor, pid "
                            + ProcessHandle.current().pid() + ", keeps " + supervised.room.state()
                            + "; stop it first");
            // Before it closes: that ends the fake hosts of the folder.
            assertThat(supervised.lines("pids")).hasSize(1);
        }
    }

    @Test
    void theHostHearsWhereItsSupervisorIsAndNothingOfSystemd() throws Exception {
        supervised.host("a", "env > env.new; mv env.new env; " + WAITS).start();
        await().until(() -> Files.exists(temp.resolve("env")));
        List<String> environment = supervised.lines("env");
        assertThat(environment).contains("MESH_HOST_LAUNCHER=" + supervised.socket());
        assertThat(environment).noneMatch(line -> line.startsWith("NOTIFY_SOCKET=") || line.startsWith("WATCHDOG_"));
    }
}
