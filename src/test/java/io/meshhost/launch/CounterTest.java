package io.meshhost.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The counter: what is damaged counts as 0, never towards giving up, and is said. */
class CounterTest {
    @ParameterizedTest
    @CsvSource({
        "'0\n', 0",
        "'3\n', 3",
        "'999999\n', 999999",
        "'08\n', 8",
        "'000002\n', 2",
        "'1 2\n', 1",
        "'  2\t9\n', 2",
        "'2\nrubbish', 2"
    })
    void thePlainNumberAtTheBeginningOfTheFirstLineCounts(String text, int count) {
        assertThat(Counter.parse(Optional.of(text))).isEqualTo(Counter.of(count));
    }

    @ParameterizedTest
    @CsvSource({
        "'', is empty",
        "'3', does not end with a newline",
        "'\n', holds no plain number",
        "'abc\n', holds no plain number",
        "'-1\n', holds no plain number",
        "'+3\n', holds no plain number",
        "'3.0\n', holds no plain number",
        "'0x3\n', holds no plain number",
        "'12a\n', holds no plain number",
        "'\u0663\n', holds no plain number",
        "'3\u0000\n', holds no plain number",
        "'999999999999\n', holds a number that cannot be true",
        "'1000000\n', holds a number that cannot be true",
        "'0000003\n', holds a number that cannot be true"
    })
    void whatIsDamagedCountsAs0AndIsSaid(String text, String how) {
        assertThat(Counter.parse(Optional.of(text)))
                .isEqualTo(new Counter(0, Optional.of("start-attempts " + how + "; it counts as 0")));
    }

    @Test
    void noFileIsNoFailureAndNoComplaint() {
        assertThat(Counter.parse(Optional.empty())).isEqualTo(Counter.of(0));
    }

    @Property
    void whatWeWriteIsWhatIsRead(@ForAll @IntRange(max = 999_999) int count) {
        assertThat(Counter.parse(Optional.of(count + "\n"))).isEqualTo(Counter.of(count));
    }

    @Property
    void noBytesAreEverReadAsMoreThanSixDigitsOrThrow(@ForAll String text) {
        Counter counter = Counter.parse(Optional.of(text));
        assertThat(counter.count()).isBetween(0, 999_999);
        if (counter.complaint().isPresent()) {
            assertThat(counter.count()).isZero();
        }
    }
}
