package io.meshhost.converge;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.machine.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TicksTest {
    private static final Duration CADENCE = Duration.ofMinutes(10);

    /** Time that moves when it is told to. */
    private static final class ByHand implements Ticker {
        private record Timer(long at, Runnable task) {}

        private final List<Timer> timers = new ArrayList<>();
        private long now;

        @Override
        public long nanos() {
            return now;
        }

        @Override
        public Cancellable after(Duration delay, Runnable task) {
            Timer timer = new Timer(now + delay.toNanos(), task);
            timers.add(timer);
            return () -> timers.remove(timer);
        }

        void advance(Duration by) {
            now += by.toNanos();
            List<Timer> due = timers.stream().filter(timer -> timer.at() <= now).toList();
            timers.removeAll(due);
            due.forEach(timer -> timer.task().run());
        }
    }

    @Test
    void aPassThatDoesNotComeIsMarkedAfterTwiceTheCadence() {
        ByHand ticker = new ByHand();
        AtomicInteger marks = new AtomicInteger();
        try (Guarantee guarantee = new Guarantee(ticker, CADENCE, marks::incrementAndGet)) {
            guarantee.passBegins();
            ticker.advance(Duration.ofMinutes(19));
            assertThat(marks).hasValue(0);
            ticker.advance(Duration.ofMinutes(1));
            assertThat(marks).hasValue(1);
        }
    }

    @Test
    void eachPassBeginsTheTimeAnewAndOneTimerIsKept() {
        ByHand ticker = new ByHand();
        AtomicInteger marks = new AtomicInteger();
        Guarantee guarantee = new Guarantee(ticker, CADENCE, marks::incrementAndGet);
        for (int pass = 0; pass < 5; pass++) {
            guarantee.passBegins();
            ticker.advance(Duration.ofMinutes(15));
        }
        assertThat(ticker.timers).hasSize(1);
        assertThat(marks).hasValue(0);
        guarantee.close();
        guarantee.passBegins();
        assertThat(ticker.timers).isEmpty();
    }

    @Test
    void theJitterIsATenthOfTheCadenceAtMost() {
        assertThat(Ticks.spread(CADENCE, 0)).isZero();
        assertThat(Ticks.spread(CADENCE, 0.5)).isEqualTo(Duration.ofSeconds(30));
        assertThat(Ticks.spread(CADENCE, 1)).isEqualTo(Duration.ofMinutes(1));
    }
}
