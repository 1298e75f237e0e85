package io.meshhost.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The supervisor as a process of its own: signals, SIGKILL, and what the next one finds. */
class LaunchedTest {
    private static final String LOGS = "trap 'echo INT >> log' INT; trap 'echo TERM >> log; sleep 0.5; exit 0' TERM;"
            + " echo up >> log; while :; do sleep 0.02; done";

    @TempDir
    private Path temp;

    private Supervised machine;

    @BeforeEach
    void aMachine() throws Exception {
        machine = new Supervised(temp.toRealPath());
    }

    @AfterEach
    void noHostIsLeft() throws Exception {
        machine.close();
    }

    private Launched launch() throws Exception {
        return Launched.start(machine.environment(), temp.resolve("launched.log"));
    }

    @Test
    void termTwiceAndIntReachTheHostOnceEachAndItIsWaitedFor() throws Exception {
        machine.host("a", LOGS);
        try (Launched launched = launch()) {
            machine.untilLogged("up");
            for (String signal : new String[] {"TERM", "TERM", "INT", "INT", "TERM"}) {
                launched.signal(signal);
            }
            assertThat(launched.status()).as(launched.said()).isZero();
            assertThat(machine.alive()).isEmpty();
            assertThat(machine.lines("log")).containsExactlyInAnyOrder("up", "TERM", "INT");
        }
    }

    /** The kernel then takes the statuses of children away. */
    @Test
    void aCleanEndIsCleanThoughWeWereStartedWithChldIgnored() throws Exception {
        machine.host("a", "echo a >> log; mv next libexec/versions/b; exit 0");
        machine.host("b", LOGS);
        Files.move(machine.room.versions().resolve("b"), machine.room.root.resolve("next"));
        machine.room.write("arrivals", "1 a\n2 b\n");
        try (Launched launched = Launched.start(
                List.of("env", "--ignore-signal=CHLD"), machine.environment(), temp.resolve("launched.log"))) {
            machine.untilLogged("up");
            assertThat(launched.said()).contains("the host exited cleanly").doesNotContain("consecutive");
        }
    }

    @Test
    void whatAKilledOneLeftIsEndedBeforeTheNextHostIsStarted() throws Exception {
        machine.host(
                "a",
                "trap 'echo TERM >> log; sleep 0.3; echo gone >> log; exit 0' TERM; echo up >> log;"
                        + " while :; do sleep 0.02; done");
        try (Launched launched = launch()) {
            machine.untilLogged("up");
            machine.until("\"child\":" + machine.lines("pids").getFirst());
            launched.signal("KILL");
            assertThat(launched.status()).isEqualTo(137);
        }
        assertThat(machine.alive()).hasSize(1);
        try (Launched next = launch()) {
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> machine.lines("pids").size() == 2);
            machine.until("\"child\":" + machine.lines("pids").getLast());
            assertThat(machine.lines("log")).startsWith("up", "TERM", "gone");
            assertThat(machine.alive()).hasSize(1);
            assertThat(next.said())
                    .contains("ending pid " + machine.lines("pids").getFirst() + ", which an earlier supervisor left");
            next.signal("TERM");
            assertThat(next.status()).isZero();
        }
    }

    @Test
    void aStrangerThatHasTheNumberNowIsNeverSignalled() throws Exception {
        machine.host("a", "echo up >> log; exec sleep 60");
        Process stranger = new ProcessBuilder("sleep", "60").start();
        try {
            machine.room.write(
                    "supervisor.json",
                    "{\"version\":\"a\",\"child\":" + stranger.pid()
                            + ",\"childStarted\":1,\"boot\":\""
                            + java.nio.file.Files.readString(Path.of("/proc/sys/kernel/random/boot_id"))
                                    .strip() + "\"}\n");
            machine.start().untilLogged("up");
            machine.until("\"child\":" + machine.lines("pids").getFirst());
            assertThat(stranger.isAlive()).isTrue();
            assertThat(machine.said).noneMatch(line -> line.contains("earlier supervisor"));
        } finally {
            stranger.destroyForcibly().waitFor();
        }
    }

    @Test
    void aSecondOneExitsWith1AndNamesTheFirst() throws Exception {
        machine.host("a", "exec sleep 60");
        try (Launched first = launch()) {
            machine.until("\"state\":\"starting\"");
            try (Launched second = Launched.start(machine.environment(), temp.resolve("second.log"))) {
                assertThat(second.status()).isEqualTo(1);
                assertThat(second.said())
                        .isEqualTo("nox-mesh-host: cannot supervise: another supervisor, pid " + first.pid()
                                + ", keeps " + machine.room.state() + "; stop it first\n");
            }
            first.signal("TERM");
            assertThat(first.status()).isZero();
        }
    }
}
