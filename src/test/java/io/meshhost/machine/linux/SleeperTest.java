package io.meshhost.machine.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SleeperTest {
    @Test
    void endsWhenItIsWokenAlsoBefore() throws Exception {
        try (Sleeper sleeper = new Sleeper()) {
            sleeper.wake();
            sleeper.wake();
            assertThat(sleeper.sleep(OptionalLong.empty(), -1)).isFalse();
            Thread other = Thread.ofPlatform().start(sleeper::wake);
            assertThat(sleeper.sleep(OptionalLong.empty(), -1)).isFalse();
            other.join();
        }
    }

    @Test
    void endsWhenTheTimeHasPassedAndNotBefore() throws Exception {
        try (Sleeper sleeper = new Sleeper()) {
            long before = System.nanoTime();
            assertThat(sleeper.sleep(OptionalLong.of(Duration.ofMillis(50).toNanos()), -1))
                    .isFalse();
            assertThat(System.nanoTime() - before)
                    .isGreaterThanOrEqualTo(Duration.ofMillis(50).toNanos());
            // What was due yesterday is due now.
            sleeper.sleep(OptionalLong.of(-1), -1);
        }
    }

    @Test
    void seesTheEndOfAChildThoughAGrandchildHoldsItsStreams() throws Exception {
        Spawner spawner = new Spawner();
        Spawner.Program program = spawner.prepare(List.of("/bin/sh", "-c", "sleep 3 & exit 5"), Map.of(), Set.of());
        try (Sleeper sleeper = new Sleeper();
                Child child = spawner.start(program)) {
            while (!sleeper.sleep(OptionalLong.empty(), child.descriptor())) {
                // A sleep may end for no reason.
            }
            assertThat(child.ended()).hasValue(5);
        }
    }

    @Test
    void aWakeAfterTheEndTouchesNobodyElsesDescriptor() throws Exception {
        Sleeper sleeper = new Sleeper();
        sleeper.close();
        try (Sleeper heir = new Sleeper()) {
            assertThatCode(sleeper::wake).doesNotThrowAnyException();
            long before = System.nanoTime();
            heir.sleep(OptionalLong.of(Duration.ofMillis(20).toNanos()), -1);
            assertThat(System.nanoTime() - before)
                    .isGreaterThanOrEqualTo(Duration.ofMillis(20).toNanos());
        }
    }
}
