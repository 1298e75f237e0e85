package io.meshhost.machine.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Thousands of random expressions, held against cron-utils, a reader by other people (docs/decisions/0002-cron.md). */
class CronAgainstCronUtilsTest {
    private static final int COUNT = Boolean.getBoolean("full") ? 50_000 : 5_000;
    private static final ZonedDateTime START = ZonedDateTime.of(2027, 2, 11, 10, 7, 30, 0, ZoneOffset.UTC);
    private static final Pattern RANGE = Pattern.compile("([a-z0-9]+)-([a-z0-9]+)");
    private static final List<String> DAYS = List.of("", "mon", "tue", "wed", "thu", "fri", "sat", "sun");

    private final CronParser parser = new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));

    private Optional<ZonedDateTime> theirs(String text) {
        return ExecutionTime.forCron(parser.parse(text)).nextExecution(START);
    }

    @Test
    void itFiresAtTheSameTimesWhereBothMeanCron() {
        Random random = new Random(7);
        int compared = 0;
        for (int i = 0; i < COUNT; i++) {
            RandomCron cron = RandomCron.of(random);
            Optional<ZonedDateTime> ours = ours(cron.text());
            if (ours.isEmpty() || stepsInDays(cron) || otherSunday(cron)) {
                continue;
            }
            if (backwards(cron)) {
                assertThatIllegalArgumentException().as(cron.text()).isThrownBy(() -> theirs(cron.text()));
                continue;
            }
            compared++;
            assertThat(theirs(cron.text())).as(cron.text()).isEqualTo(ours);
        }
        assertThat(compared).isGreaterThan(COUNT / 2);
    }

    /** Empty for a date that never comes, which is refused. */
    private static Optional<ZonedDateTime> ours(String text) {
        try {
            return Cron.parse(text).next(START);
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageContaining("never comes");
            return Optional.empty();
        }
    }

    /** cronie takes a day field that begins with a star as unrestricted, so both must hold; cron-utils takes either. */
    private static boolean stepsInDays(RandomCron cron) {
        return cron.fields().get(2).startsWith("*/") || cron.fields().get(4).startsWith("*/");
    }

    /**
     * cron-utils makes 0 of every 7, also of a step, takes Sunday to the end of the week for every day, and "sun"
     * for 7 where a range begins.
     */
    private static boolean otherSunday(RandomCron cron) {
        return cron.fields().get(4).matches("(.*,)?7/.*|.*/7(,.*)?|(.*,)?sun-.*");
    }

    /** Over the end of the week: cron-utils refuses it. */
    private static boolean backwards(RandomCron cron) {
        Matcher range = RANGE.matcher(cron.fields().get(4));
        return range.results().anyMatch(found -> day(found.group(1)) > day(found.group(2)));
    }

    private static int day(String word) {
        return DAYS.contains(word) ? DAYS.indexOf(word) : Integer.parseInt(word);
    }

    @Test
    void whereItMeansSomethingElseWeMeanWhatCronieDoes() {
        assertThat(theirs("0 0 */2 * 3"))
                .contains(START.withDayOfMonth(13).withHour(0).withMinute(0).withSecond(0));
        assertThat(ours("0 0 */2 * 3"))
                .contains(START.withDayOfMonth(17).withHour(0).withMinute(0).withSecond(0));
        assertThatIllegalArgumentException().isThrownBy(() -> theirs("0 0 * * fri-mon"));
        assertThat(ours("0 0 * * fri-mon"))
                .contains(START.withDayOfMonth(12).withHour(0).withMinute(0).withSecond(0));
    }
}
