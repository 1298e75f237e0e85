package io.meshhost.machine.services;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.testing.Needs;
import java.io.IOException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Thousands of random expressions, held against systemd and against a matcher that walks the days. */
class CronAgainstOthersTest {
    private static final int COUNT = Boolean.getBoolean("full") ? 20_000 : 3_000;
    private static final ZonedDateTime START = ZonedDateTime.of(2027, 2, 11, 10, 7, 30, 0, ZoneOffset.UTC);

    private static List<RandomCron> expressions(long seed) {
        Random random = new Random(seed);
        List<RandomCron> expressions = new ArrayList<>();
        while (expressions.size() < COUNT) {
            RandomCron candidate = RandomCron.of(random);
            if (comes(candidate.text())) {
                expressions.add(candidate);
            }
        }
        return expressions;
    }

    private static boolean comes(String text) {
        try {
            Cron.parse(text);
            return true;
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageContaining("never comes");
            return false;
        }
    }

    @Test
    void aMatcherThatWalksTheDaysAsCronieDoesAgrees() {
        for (RandomCron cron : expressions(1)) {
            assertThat(Cron.parse(cron.text()).next(START).map(ZonedDateTime::toLocalDateTime))
                    .as(cron.text())
                    .contains(walk(cron, START.toLocalDateTime()));
        }
    }

    private static LocalDateTime walk(RandomCron cron, LocalDateTime after) {
        List<Integer> minutes = cron.values(0).stream().sorted().toList();
        List<Integer> hours = cron.values(1).stream().sorted().toList();
        LocalDateTime day = after.toLocalDate().atStartOfDay();
        while (true) {
            boolean date = cron.values(2).contains(day.getDayOfMonth());
            boolean weekday = cron.values(4).contains(day.getDayOfWeek().getValue() % 7);
            boolean both = cron.star(2) || cron.star(4);
            if (cron.values(3).contains(day.getMonthValue()) && (both ? date && weekday : date || weekday)) {
                for (int hour : hours) {
                    for (int minute : minutes) {
                        if (day.withHour(hour).withMinute(minute).isAfter(after)) {
                            return day.withHour(hour).withMinute(minute);
                        }
                    }
                }
            }
            day = day.plusDays(1);
        }
    }

    @Test
    void systemdFiresAtTheSameTimes() throws IOException, InterruptedException {
        Needs.command("systemd-analyze");
        List<RandomCron> crons = expressions(3);
        List<String> lines = new ArrayList<>();
        crons.forEach(cron -> lines.addAll(Cron.parse(cron.text()).calendar(Optional.empty())));
        List<Optional<ZonedDateTime>> theirs = SystemdCalendar.next(lines, START);
        int at = 0;
        for (RandomCron cron : crons) {
            Cron ours = Cron.parse(cron.text());
            int count = ours.calendar(Optional.empty()).size();
            Optional<ZonedDateTime> first = theirs.subList(at, at + count).stream()
                    .flatMap(Optional::stream)
                    .min(ZonedDateTime::compareTo);
            assertThat(first).as(cron.text()).isEqualTo(ours.next(START));
            at += count;
        }
    }
}
