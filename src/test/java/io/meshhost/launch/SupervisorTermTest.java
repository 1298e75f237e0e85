package io.meshhost.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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

/** TERM at any moment of a start: never an orphan, never more than one signal a request. */
class SupervisorTermTest {
    private static final String LOGS = "trap 'echo TERM >> log; exit 0' TERM; while :; do sleep 0.01; done";

    @TempDir
    private Path temp;

    @Test
    void atEveryFiveMillisecondsOfAStart() throws Exception {
        List<Future<Integer>> all = new ArrayList<>();
        try (ExecutorService pool = Executors.newFixedThreadPool(4)) {
            for (int delay = 0; delay <= 200; delay += 5) {
                int after = delay;
                Path folder = Files.createDirectory(temp.toRealPath().resolve("t" + delay));
                all.add(pool.submit(() -> toldAfter(after, folder)));
            }
        }
        for (Future<Integer> one : all) {
            assertThat(one.get()).isLessThanOrEqualTo(1);
        }
    }

    /** How many signals the host has seen; none, when it could not log any yet. */
    private static int toldAfter(int millis, Path folder) throws Exception {
        try (Supervised supervised = new Supervised(folder)) {
            supervised.host("a", LOGS).start();
            await().pollDelay(Duration.ofMillis(millis))
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> true);
            supervised.term();
            supervised.term();
            assertThat(supervised.status()).isZero();
            assertThat(supervised.alive()).isEmpty();
            assertThat(supervised.lines("pids")).hasSizeLessThanOrEqualTo(1);
            return supervised.lines("log").size();
        }
    }
}
