package io.meshhost.launch;

import static io.meshhost.launch.Supervised.say;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HUP is passed on to a host that listens for it, and kept for one that does not yet: it would die of it. */
class HangUpTest {
    private static final String LISTENS = "trap 'echo HUP >> log' HUP; echo up >> log; while :; do sleep 0.01; done";
    private static final String LISTENS_LATE = "sleep 0.15; " + LISTENS;

    @TempDir
    private Path temp;

    private List<String> heard(Supervised supervised) {
        return supervised.lines("log").stream().filter("HUP"::equals).toList();
    }

    private void hears(Supervised supervised, int times) {
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(heard(supervised)).hasSize(times));
    }

    private static void neverEndedAndNeverCounted(Supervised supervised) {
        assertThat(supervised.asked()).contains("\"failures\":0,");
        assertThat(supervised.room.read("start-attempts")).isEqualTo("(none)");
        assertThat(supervised.lines("pids")).hasSize(1);
        assertThat(supervised.alive()).hasSize(1);
    }

    @Test
    void itIsPassedOnEachTimeToOneThatHasSpoken() throws Exception {
        try (Supervised supervised = new Supervised(temp.toRealPath())) {
            supervised.host("a", LISTENS).start().untilLogged("up");
            try (SocketChannel line = supervised.line()) {
                say(line, "alive");
                supervised.hangUp();
                hears(supervised, 1);
                supervised.hangUp();
                hears(supervised, 2);
            }
            neverEndedAndNeverCounted(supervised);
        }
    }

    @Test
    void manyBeforeTheFirstSignAreKeptAndComeAsOne() throws Exception {
        try (Supervised supervised = new Supervised(temp.toRealPath())) {
            supervised.host("a", LISTENS_LATE).start().until("\"state\":\"starting\"");
            await().until(() -> !supervised.lines("pids").isEmpty());
            for (int i = 0; i < 5; i++) {
                supervised.hangUp();
            }
            supervised.untilLogged("up");
            try (SocketChannel line = supervised.line()) {
                say(line, "alive\nalive\nready");
                supervised.until("\"state\":\"running\"");
                hears(supervised, 1);
            }
            neverEndedAndNeverCounted(supervised);
        }
    }

    @Test
    void oneThatNeverConnectsIsToldWhenItsFilesShowThatItIsReady() throws Exception {
        try (Supervised supervised = new Supervised(temp.toRealPath())) {
            supervised.host(
                    "a",
                    "sleep 0.1; until [ -e told ]; do sleep 0.01; done; trap 'echo HUP >> log' HUP;"
                            + " echo a > state/known-good; while :; do sleep 0.01; done");
            supervised.start();
            await().until(() -> !supervised.lines("pids").isEmpty());
            supervised.hangUp();
            Files.createFile(temp.toRealPath().resolve("told"));
            supervised.until("\"state\":\"running\"");
            hears(supervised, 1);
            neverEndedAndNeverCounted(supervised);
        }
    }

    @Test
    void oneThatEndsFirstIsNotToldAndItsSuccessorReconcilesAnyway() throws Exception {
        try (Supervised supervised = new Supervised(temp.toRealPath())) {
            supervised.host(
                    "a",
                    "if [ $(wc -l < pids) = 1 ]; then until [ -e told ]; do sleep 0.01; done; exit 0; fi; " + LISTENS);
            supervised.start();
            await().until(() -> supervised.lines("pids").size() == 1);
            supervised.hangUp();
            Files.createFile(temp.toRealPath().resolve("told"));
            supervised.untilLogged("up");
            try (SocketChannel line = supervised.line()) {
                say(line, "ready");
                supervised.until("\"state\":\"running\"");
            }
            assertThat(heard(supervised)).isEmpty();
            assertThat(supervised.lines("pids")).hasSize(2);
        }
    }

    @Test
    void atEveryTenMillisecondsOfAStart() throws Exception {
        List<Future<Integer>> all = new ArrayList<>();
        try (ExecutorService pool = Executors.newFixedThreadPool(4)) {
            for (int delay = 0; delay <= 400; delay += 10) {
                int after = delay;
                Path folder = Files.createDirectory(temp.toRealPath().resolve("t" + delay));
                all.add(pool.submit(() -> hungUpAfter(after, folder)));
            }
        }
        int passedOn = 0;
        for (Future<Integer> one : all) {
            passedOn += one.get();
        }
        assertThat(passedOn).as("it is never dropped while a host runs").isGreaterThan(all.size() / 2);
    }

    /** How often the host has heard of it: once, or never when it was not started yet. */
    private int hungUpAfter(int millis, Path folder) throws Exception {
        try (Supervised supervised = new Supervised(folder);
                ExecutorService later = Executors.newSingleThreadExecutor()) {
            supervised.host("a", LISTENS_LATE).start();
            Future<Boolean> told = later.submit(() -> {
                await().pollDelay(Duration.ofMillis(millis))
                        .pollInterval(Duration.ofMillis(1))
                        .until(() -> true);
                boolean runs = !supervised.lines("pids").isEmpty();
                supervised.hangUp();
                return runs;
            });
            supervised.untilLogged("up");
            try (SocketChannel line = supervised.line()) {
                say(line, "alive");
                if (told.get()) {
                    hears(supervised, 1);
                }
                say(line, "ready");
                supervised.until("\"state\":\"running\"");
                neverEndedAndNeverCounted(supervised);
                return heard(supervised).size();
            }
        }
    }
}
