package io.meshhost.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.machine.MachineFailure;
import io.meshhost.testing.HandTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LongWorkTest {
    private static final Duration BEAT = Duration.ofSeconds(20);

    private final HandTicker ticker = new HandTicker();
    private final List<String> signs = new ArrayList<>();

    @Test
    void workThatTellsNothingGivesSignsWhileItLasts() {
        String result =
                LongWork.during(ticker, (what, done, total) -> signs.add(what), "a step", Duration.ofHours(1), () -> {
                    ticker.advance(BEAT);
                    ticker.advance(BEAT);
                    return "done";
                });
        assertThat(result).isEqualTo("done");
        assertThat(signs).containsExactly("a step", "a step");
        assertThat(ticker.waiting()).isZero();
    }

    @Test
    void workThatHangsFallsSilentWhenItsTimeIsOver() {
        LongWork.during(ticker, (what, done, total) -> signs.add(what), "a step", Duration.ofSeconds(45), () -> {
            for (int beat = 0; beat < 10; beat++) {
                ticker.advance(BEAT);
            }
            return "";
        });
        assertThat(signs).hasSize(2);
    }

    @Test
    void aStopThatTheProgressAsksForIsLeftToTheWork() {
        LongWork.during(
                ticker,
                (what, done, total) -> {
                    signs.add(what);
                    throw new MachineFailure("the host is stopping");
                },
                "a step",
                Duration.ofHours(1),
                () -> {
                    ticker.advance(BEAT);
                    ticker.advance(BEAT);
                    return "";
                });
        assertThat(signs).hasSize(1);
    }
}
