package io.meshhost.converge;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class SettleTest {
    private final Settle settle = new Settle(Duration.ofMillis(300));

    @Test
    void aSignatureThatRestsForTheQuietTimeIsToldOnce() {
        assertThat(step("a", 0, false)).isFalse();
        assertThat(step("a", 299, false)).isFalse();
        assertThat(step("a", 300, false)).isTrue();
        assertThat(step("a", 900, false)).isFalse();
        assertThat(settle.settled()).contains("a");
        assertThat(settle.moving()).isFalse();
    }

    @Test
    void aChangeOnTheWayBeginsTheQuietTimeAnew() {
        step("a", 0, false);
        step("b", 200, false);
        assertThat(step("b", 400, false)).isFalse();
        assertThat(step("b", 500, false)).isTrue();
        assertThat(settle.settled()).contains("b");
    }

    @Test
    void aFileThatIsOpenForWritingDoesNotComeToRest() {
        step("a", 0, true);
        assertThat(step("a", 10_000, true)).isFalse();
        assertThat(settle.beingWritten()).isTrue();
        assertThat(step("a", 10_050, false)).isTrue();
        assertThat(settle.beingWritten()).isFalse();
    }

    @Test
    void whatGoesBackToWhatItWasIsNoChange() {
        step("a", 0, false);
        step("a", 300, false);
        step("b", 400, false);
        assertThat(step("a", 450, false)).isFalse();
        assertThat(step("a", 5_000, false)).isFalse();
    }

    @Property
    void whatIsToldHasAlwaysRestedForTheQuietTime(
            @ForAll @Size(max = 60) java.util.List<@IntRange(min = 0, max = 2) Integer> signatures,
            @ForAll @IntRange(min = 1, max = 200) int stepMillis) {
        Settle fresh = new Settle(Duration.ofMillis(300));
        int same = 0;
        for (int i = 0; i < signatures.size(); i++) {
            same = i > 0 && signatures.get(i).equals(signatures.get(i - 1)) ? same + 1 : 0;
            long nanos = TimeUnit.MILLISECONDS.toNanos((long) i * stepMillis);
            if (fresh.step("s" + signatures.get(i), nanos, () -> false)) {
                assertThat((long) same * stepMillis).isGreaterThanOrEqualTo(300);
            }
        }
    }

    private boolean step(String signature, long millis, boolean writer) {
        return settle.step(signature, TimeUnit.MILLISECONDS.toNanos(millis), () -> writer);
    }
}
