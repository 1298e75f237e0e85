package io.meshhost.converge;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.testing.HandTicker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TicksTest {
    private static final Duration CADENCE = Duration.ofMinutes(10);

    @Test
    void aPassThatDoesNotComeIsMarkedAfterTwiceTheCadence() {
        HandTicker ticker = new HandTicker();
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
        HandTicker ticker = new HandTicker();
        AtomicInteger marks = new AtomicInteger();
        Guarantee guarantee = new Guarantee(ticker, CADENCE, marks::incrementAndGet);
        for (int pass = 0; pass < 5; pass++) {
            guarantee.passBegins();
            ticker.advance(Duration.ofMinutes(15));
        }
        assertThat(ticker.waiting()).isEqualTo(1);
        assertThat(marks).hasValue(0);
        guarantee.close();
        guarantee.passBegins();
        assertThat(ticker.waiting()).isZero();
    }

    @Test
    void theJitterIsATenthOfTheCadenceAtMost() {
        assertThat(Ticks.spread(CADENCE, 0)).isZero();
        assertThat(Ticks.spread(CADENCE, 0.5)).isEqualTo(Duration.ofSeconds(30));
        assertThat(Ticks.spread(CADENCE, 1)).isEqualTo(Duration.ofMinutes(1));
    }
}
