package io.meshhost.machine.services;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Spells cron fields as systemd.time(7) wants them.
 *
 * <p>Not a copy of the words: systemd knows no step from a star, no {@code Sat..Mon} and no step beyond its
 * range, joins weekday and date by "and", and counts its week from Monday. So the values are spelled anew.
 */
final class CronCalendar {
    private static final List<String> WEEKDAYS = List.of("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun");

    private CronCalendar() {}

    /** One line, or two where either of the day fields suffices: any of several OnCalendar= fires. */
    static List<String> lines(CronFields fields) {
        String weekdays = weekdays(fields.weekday());
        String days = days(fields.day());
        if (!fields.either()) {
            return List.of(line(fields, weekdays, days));
        }
        if (weekdays.isEmpty() || days.equals("*")) {
            return List.of(line(fields, "", "*"));
        }
        List<String> lines = new ArrayList<>();
        // A date that its months never have would be a line that never fires; the weekdays still do.
        if (fields.someDateComes()) {
            lines.add(line(fields, "", days));
        }
        lines.add(line(fields, weekdays, "*"));
        return List.copyOf(lines);
    }

    private static String line(CronFields fields, String weekdays, String days) {
        return weekdays + "*-" + numbers(fields.month()) + "-" + days + " " + numbers(fields.hour()) + ":"
                + numbers(fields.minute()) + ":00";
    }

    /** The weekdays and a blank; nothing when it is all of them. */
    private static String weekdays(CronField field) {
        int[] fromMonday =
                IntStream.range(0, 7).filter(day -> field.has((day + 1) % 7)).toArray();
        return fromMonday.length == 7 ? "" : list(fromMonday, WEEKDAYS::get) + " ";
    }

    /**
     * Never with a step: beside a weekday systemd 252 counts a step of days on over the end of the month
     * ({@code Fri..Sun *-*-01/14} goes from 29 December to 12 January), and misses the first days of the next.
     */
    private static String days(CronField field) {
        int[] values = field.values().toArray();
        return values.length == 31 ? "*" : list(values, CronCalendar::two);
    }

    private static String numbers(CronField field) {
        int[] values = field.values().toArray();
        int low = field.part().low;
        int high = field.part().high;
        if (values.length == high - low + 1) {
            return "*";
        }
        int step = step(values);
        if (step < 2) {
            return list(values, CronCalendar::two);
        }
        int last = values[values.length - 1];
        String bound = last + step > high ? "" : ".." + two(last);
        return two(values[0]) + bound + "/" + step;
    }

    /** The one distance between three or more values, else 0. */
    private static int step(int[] values) {
        if (values.length < 3) {
            return 0;
        }
        int step = values[1] - values[0];
        return IntStream.range(1, values.length).allMatch(i -> values[i] - values[i - 1] == step) ? step : 0;
    }

    /** Values in order, three or more in a row as a range. */
    private static String list(int[] values, IntFunction<String> word) {
        List<String> items = new ArrayList<>();
        int at = 0;
        while (at < values.length) {
            int end = at;
            while (end + 1 < values.length && values[end + 1] == values[end] + 1) {
                end++;
            }
            if (end - at >= 2) {
                items.add(word.apply(values[at]) + ".." + word.apply(values[end]));
            } else {
                IntStream.rangeClosed(at, end).forEach(i -> items.add(word.apply(values[i])));
            }
            at = end + 1;
        }
        return String.join(",", items);
    }

    private static String two(int value) {
        return value < 10 ? "0" + value : Integer.toString(value);
    }
}
