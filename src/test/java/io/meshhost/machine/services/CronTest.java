package io.meshhost.machine.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CronTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private static List<String> calendar(String cron) {
        return Cron.parse(cron).calendar(Optional.empty());
    }

    private static Optional<ZonedDateTime> next(String cron, String after) {
        return Cron.parse(cron).next(ZonedDateTime.parse(after));
    }

    @Test
    void dateAndWeekdayBothRestrictedAreTwoLines() { // CR-01
        assertThat(calendar("30 0 1 * 1")).containsExactly("*-*-01 00:30:00", "Mon *-*-* 00:30:00");
    }

    @Test
    void aDayThatBeginsWithAStarNarrowsTheWeekday() { // CR-02
        assertThat(calendar("0 0 */2 * 3"))
                .containsExactly("Wed *-*-01,03,05,07,09,11,13,15,17,19,21,23,25,27,29,31 00:00:00");
        assertThat(calendar("0 0 1,15 * */2")).containsExactly("Tue,Thu,Sat,Sun *-*-01,15 00:00:00");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = { // CR-03, CR-04, CR-05, CR-07
                "10 7 * * 2-7    | Tue..Sun *-*-* 07:10:00",
                "0 0 * * 7       | Sun *-*-* 00:00:00",
                "0 0 * * 0,7     | Sun *-*-* 00:00:00",
                "0 0 * * 5-7     | Fri..Sun *-*-* 00:00:00",
                "1 * * * fri-sun | Fri..Sun *-*-* *:01:00",
                "0 0 * * sat-sun | Sat,Sun *-*-* 00:00:00",
                "0 22 * * sun-thu| Mon..Thu,Sun *-*-* 22:00:00",
                "0 22 * * 0-4    | Mon..Thu,Sun *-*-* 22:00:00",
                "0 22 * * sat-mon| Mon,Sat,Sun *-*-* 22:00:00",
                "0 22 * * 5-1    | Mon,Fri..Sun *-*-* 22:00:00",
                "0 22 * * sat-tue/2 | Mon,Sat *-*-* 22:00:00",
                "0 16 * * 0      | Sun *-*-* 16:00:00",
                "0 9 * * 1-5     | Mon..Fri *-*-* 09:00:00",
                "0 9 * * MON-FRI | Mon..Fri *-*-* 09:00:00",
                "*/7 * * * *     | *-*-* *:00/7:00",
                "5/10 * * * *    | *-*-* *:05/10:00",
                "1-40/13 * * * * | *-*-* *:01..40/13:00",
                "* * * * *       | *-*-* *:*:00",
                "0-59 0-23 1-31 1-12 0-6 | *-*-* *:*:00",
                "0,1,2,9 0 * feb,Mar * | *-02,03-* 00:00..02,09:00",
            })
    void isSpelledAsSystemdWantsIt(String cron, String line) {
        assertThat(calendar(cron)).containsExactly(line);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = { // CR-09
                "@hourly   | *-*-* *:00:00",
                "@daily    | *-*-* 00:00:00",
                "@midnight | *-*-* 00:00:00",
                "@weekly   | Sun *-*-* 00:00:00",
                "@monthly  | *-*-01 00:00:00",
                "@yearly   | *-01-01 00:00:00",
                "@annually | *-01-01 00:00:00",
            })
    void nicknamesMeanWhatCronMeans(String nickname, String line) {
        assertThat(calendar(nickname)).containsExactly(line);
    }

    @Test
    void theZoneEndsEachLine() { // CR-10
        assertThat(Cron.parse("0 3 1 * mon").calendar(Optional.of(BERLIN)))
                .containsExactly("*-*-01 03:00:00 Europe/Berlin", "Mon *-*-* 03:00:00 Europe/Berlin");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = { // CR-07
                "59/2 * * * *  | the minute of the schedule: the step in \"59/2\" | 0 to 59",
                "*/60 * * * *  | the minute of the schedule: the step in \"*/60\" | 1 to 59",
                "*/0 * * * *   | the minute of the schedule: the step in \"*/0\" | 1 to 59",
                "0 */25 * * *  | the hour of the schedule: the step in \"*/25\" | 0 to 23",
                "0 24 * * *    | the hour of the schedule: \"24\" is not allowed | 0 to 23",
                "60 * * * *    | the minute of the schedule: \"60\" is not allowed | 0 to 59",
                "0 0 0 * *     | the day of month of the schedule: \"0\" is not allowed | 1 to 31",
                "0 0 * 0 *     | the month of the schedule: \"0\" is not allowed | 1 to 12 or jan to dec",
                "0 0 * * 8     | the day of week of the schedule: \"8\" is not allowed | 0 to 7 or sun to sat",
                "0 22-2 * * *  | the hour of the schedule: \"22-2\" runs backwards | 22-23,0-2",
                "1,,2 * * * *  | the minute of the schedule: an item of the list is empty | 0 to 59",
                "1, * * * *    | the minute of the schedule: an item of the list is empty | 0 to 59",
                "-5 * * * *    | the minute of the schedule: \"-5\" is not allowed | 0 to 59",
                "5- * * * *    | the minute of the schedule: \"5-\" is not allowed | 0 to 59",
                "*-5 * * * *   | the minute of the schedule: \"*-5\" is not allowed | 0 to 59",
                "0 0 ? * *     | the day of month of the schedule: \"?\" is not allowed | 1 to 31",
                "0 0 L * *     | the day of month of the schedule: \"L\" is not allowed | 1 to 31",
                "0 0 * * 5#3   | the day of week of the schedule: \"5#3\" is not allowed | 0 to 7",
                "0 0 * * monday| the day of week of the schedule: \"monday\" is not allowed | sun to sat",
                "* * * *       | it has 4 fields | minute (0 to 59)",
                "* * * * * *   | it has 6 fields | minute (0 to 59)",
                "''            | it has 0 fields | minute (0 to 59)",
                "0 0 30 2 *    | its date never comes | 1 to 31",
                "0 0 31 4,6,9,11 * | its date never comes | 1 to 31",
                "@reboot       | started at boot | leave the schedule out",
                "@every 5m     | an interval is no time of day | */5 * * * *",
                "@Daily        | no nickname is called so | @daily",
            })
    void whatCannotBeMeantIsRefusedWithFieldAndRange(String cron, String reason, String remedy) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Cron.parse(cron))
                .withMessageStartingWith("cannot ")
                .withMessageContaining(reason)
                .withMessageContaining(remedy);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 0 * * *\n", "\n0 0 * * *", "0 0 *\n* *", "0 0 * * *\r", "0 0 * *\u00a0*", "٣ 0 * * *"})
    void noLineBreakOrForeignDigitPasses(String cron) {
        assertThatIllegalArgumentException().isThrownBy(() -> Cron.parse(cron));
    }

    @Test
    void blanksAndTabsMayStandAroundAndBetween() {
        assertThat(calendar(" \t0\t 4 * * *  ")).containsExactly("*-*-* 04:00:00");
    }

    @Test
    void aDateThatNeverComesBesideAWeekdayIsLeftOut() {
        assertThat(calendar("0 0 30 2 1")).containsExactly("Mon *-02-* 00:00:00");
    }

    @Test
    void theTwentyNinthOfFebruaryIsWaitedFor() {
        assertThat(next("0 0 29 2 *", "2097-01-01T00:00Z[UTC]"))
                .contains(ZonedDateTime.parse("2104-02-29T00:00Z[UTC]"));
    }

    @Test
    void aMinuteThatHasBegunIsOver() {
        assertThat(next("* * * * *", "2027-03-01T10:00:00.5Z[UTC]"))
                .contains(ZonedDateTime.parse("2027-03-01T10:01Z[UTC]"));
        assertThat(next("* * * * *", "2027-03-01T09:59:59.9Z[UTC]"))
                .contains(ZonedDateTime.parse("2027-03-01T10:00Z[UTC]"));
    }

    @Test
    void anHourThatIsLostIsSkipped() { // CR-11
        assertThat(next("30 2 * * *", "2027-03-27T12:00+01:00[Europe/Berlin]"))
                .contains(ZonedDateTime.parse("2027-03-29T02:30+02:00[Europe/Berlin]"));
    }

    @Test
    void anHourThatComesTwiceCountsOnce() {
        assertThat(next("30 2 * * *", "2027-10-31T02:30+02:00[Europe/Berlin]"))
                .contains(ZonedDateTime.parse("2027-11-01T02:30+01:00[Europe/Berlin]"));
    }

    @Test
    void theLostHourIsForetold() { // CR-11
        Schedule schedule = new Schedule(Cron.parse("30 2 * * *"), Optional.of(BERLIN));
        assertThat(schedule.nextSkipped(ZonedDateTime.parse("2026-11-29T12:00Z[UTC]")))
                .contains(ZonedDateTime.parse("2027-03-28T03:00+02:00[Europe/Berlin]"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"30 3 * * *", "30 * * * *", "*/5 */2 * * *", "30 2 * * mon", "30 2 1 * *"})
    void nothingIsForetoldForWhatLosesNothing(String cron) {
        Schedule schedule = new Schedule(Cron.parse(cron), Optional.of(BERLIN));
        assertThat(schedule.nextSkipped(ZonedDateTime.parse("2026-11-29T12:00Z[UTC]")))
                .isEmpty();
    }

    @Test
    void aScheduleCountsInItsOwnZone() {
        Schedule schedule = new Schedule(Cron.parse("0 6 * * *"), Optional.of(ZoneId.of("Asia/Tokyo")));
        assertThat(schedule.next(ZonedDateTime.parse("2027-01-01T12:00-05:00[America/New_York]")))
                .contains(ZonedDateTime.parse("2027-01-02T06:00+09:00[Asia/Tokyo]"));
    }
}
