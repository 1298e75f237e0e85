package io.meshhost.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.machine.testing.FakeTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class TickerTest {
    @Test
    void aTimerFiresOnceAndOneThatFailsDoesNotStopTheOthers() throws InterruptedException {
        try (SystemTicker ticker = new SystemTicker()) {
            CountDownLatch fired = new CountDownLatch(1);
            long start = ticker.nanos();
            ticker.after(Duration.ZERO, () -> {
                throw new IllegalStateException("expected in a test");
            });
            ticker.after(Duration.ofMillis(40), fired::countDown);
            assertThat(fired.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(ticker.nanos() - start).isGreaterThanOrEqualTo(40_000_000L);
        }
    }

    @Test
    void aCancelledTimerNeverFires() throws InterruptedException {
        try (SystemTicker ticker = new SystemTicker()) {
            AtomicBoolean fired = new AtomicBoolean();
            CountDownLatch later = new CountDownLatch(1);
            Ticker.Cancellable timer = ticker.after(Duration.ofMillis(20), () -> fired.set(true));
            timer.cancel();
            timer.cancel();
            ticker.after(Duration.ofMillis(60), later::countDown);
            assertThat(later.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(fired).isFalse();
        }
    }

    @Test
    void fakeTimePassesOnlyWhenToldAndTimersFireInTheirOrder() {
        FakeTicker ticker = new FakeTicker();
        List<String> fired = new ArrayList<>();
        ticker.after(Duration.ofSeconds(3), () -> fired.add("c"));
        ticker.after(Duration.ofSeconds(1), () -> {
            fired.add("a");
            ticker.after(Duration.ofSeconds(1), () -> fired.add("b"));
        });
        ticker.after(Duration.ofSeconds(2), () -> fired.add("never")).cancel();
        long start = ticker.nanos();
        ticker.advance(Duration.ofSeconds(2));
        assertThat(fired).containsExactly("a", "b");
        ticker.advance(Duration.ofMillis(999));
        assertThat(ticker.pending()).isEqualTo(1);
        ticker.advance(Duration.ofMillis(1));
        assertThat(fired).containsExactly("a", "b", "c");
        assertThat(ticker.nanos() - start).isEqualTo(3_000_000_000L);
    }
}
