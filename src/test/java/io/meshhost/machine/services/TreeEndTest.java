package io.meshhost.machine.services;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ending a run whose processes cannot be listed, on this thread and with a clock that the test moves. */
class TreeEndTest {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    @TempDir
    Path dir;

    private final FakeTime time = new FakeTime(Instant.parse("2026-11-29T12:00:00Z"));

    private CompletableFuture<Boolean> end(TreeEnd.Run run) {
        return new TreeEnd(new ProcessTable(dir.resolve("proc")), time, Runnable::run, run, () -> PATIENCE).start();
    }

    @Test
    void aListingThatFailsIsNoProofThatNothingIsLeftAndIsTriedAgain() throws IOException {
        CompletableFuture<Boolean> over = end(new TreeEnd.Run(0, 0, "cafe", null));
        time.pass(Duration.ofSeconds(1));
        assertThat(over).isNotDone();
        Files.createDirectories(dir.resolve("proc"));
        time.pass(Duration.ofMillis(300));
        assertThat(over).isCompletedWithValue(false);
    }

    @Test
    void oneThatNeverSucceedsIsGivenUpWhenKillHasHadItsTime() {
        CompletableFuture<Boolean> over = end(new TreeEnd.Run(0, 0, "cafe", null));
        time.pass(Duration.ofSeconds(6));
        assertThat(over).isNotDone();
        time.pass(Duration.ofSeconds(2));
        assertThat(over).isCompletedWithValue(true);
        assertThat(time.timers()).isZero();
    }
}
