package io.meshhost.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.meshhost.testing.Needs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TERM to a whole process from its first millisecond on: before the JVM runs, while it starts, and around the host's start. */
@Tag("root")
class TermInEveryMomentTest {
    @TempDir
    private Path temp;

    @Test
    void everyFiveMillisecondsOfTheFirst200AndAroundTheStartOfTheHost() throws Exception {
        Needs.command("sleep");
        List<Integer> moments = new ArrayList<>();
        for (int t = 0; t <= 200; t += 5) {
            moments.add(t);
        }
        for (int t = 220; t <= 1000; t += 20) {
            moments.add(t);
        }
        List<Future<Integer>> all = new ArrayList<>();
        try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
            moments.forEach(moment -> all.add(pool.submit(() -> toldAfter(moment))));
        }
        for (Future<Integer> one : all) {
            assertThat(one.get()).isLessThanOrEqualTo(1);
        }
    }

    private int toldAfter(int millis) throws Exception {
        Path folder = Files.createDirectory(temp.toRealPath().resolve("t" + millis));
        Supervised machine = new Supervised(folder);
        machine.host("a", "trap 'echo TERM >> log; exit 0' TERM; while :; do sleep 0.01; done");
        try (Launched launched = Launched.start(machine.environment(), folder.resolve("launched.log"))) {
            await().pollDelay(Duration.ofMillis(millis)).until(() -> true);
            launched.signal("TERM");
            // 143, or 1 in its very first steps: the JVM was told before it was ours to answer; nothing was started then.
            int status = launched.status();
            Set<Integer> sound = machine.lines("pids").isEmpty() ? Set.of(0, 143, 1) : Set.of(0);
            assertThat(status).as("%d ms: %s", millis, launched.said()).isIn(sound);
            assertThat(machine.alive()).as("%d ms", millis).isEmpty();
            return machine.lines("log").size();
        }
    }
}
