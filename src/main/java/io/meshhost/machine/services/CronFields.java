package io.meshhost.machine.services;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.Month;
import java.util.Optional;
import java.util.stream.Stream;

/** The five fields of a cron expression, read and known to mean at least one date. */
record CronFields(CronField minute, CronField hour, CronField day, CronField month, CronField weekday) {
    /**
     * Reads an expression or a nickname.
     *
     * @throws IllegalArgumentException as {@link Cron#parse}
     */
    static CronFields parse(String text) {
        String stripped = strip(text);
        String[] words = (stripped.startsWith("@") ? nickname(stripped) : stripped).split("[ \t]+", -1);
        if (words.length != 5 || words[0].isEmpty()) {
            throw new IllegalArgumentException("cannot read the schedule \"" + stripped + "\": it has "
                    + (words[0].isEmpty() ? 0 : words.length)
                    + " fields; write five: minute (0 to 59), hour (0 to 23), day of month (1 to 31), month (1 to 12),"
                    + " day of week (0 to 7)");
        }
        CronFields fields = new CronFields(
                CronField.parse(CronField.Part.MINUTE, words[0]),
                CronField.parse(CronField.Part.HOUR, words[1]),
                CronField.parse(CronField.Part.DAY, words[2]),
                CronField.parse(CronField.Part.MONTH, words[3]),
                CronField.parse(CronField.Part.WEEKDAY, words[4]));
        if (!fields.someDateComes() && !fields.either()) {
            throw new IllegalArgumentException("cannot use the schedule \"" + stripped
                    + "\": its date never comes; write a day of month (1 to 31) that its months have");
        }
        return fields;
    }

    /** What crontab(5) says of each nickname; note that {@code @weekly} is Sunday, other than systemd's. */
    private static String nickname(String text) {
        return switch (text) {
            case "@hourly" -> "0 * * * *";
            case "@daily", "@midnight" -> "0 0 * * *";
            case "@weekly" -> "0 0 * * 0";
            case "@monthly" -> "0 0 1 * *";
            case "@yearly", "@annually" -> "0 0 1 1 *";
            case "@reboot" ->
                throw new IllegalArgumentException(
                        "cannot use the schedule @reboot: a process without a schedule is started at boot and kept up;"
                                + " leave the schedule out");
            default ->
                throw new IllegalArgumentException("cannot use the schedule " + text + ": "
                        + (text.startsWith("@every") ? "an interval is no time of day" : "no nickname is called so")
                        + "; write five fields such as */5 * * * *, or one of @hourly, @daily, @midnight, @weekly,"
                        + " @monthly, @yearly, @annually");
        };
    }

    /** Blanks and tabs only: a line break in a schedule is a fault, wherever it is. */
    private static String strip(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && blank(text.charAt(from))) {
            from++;
        }
        while (to > from && blank(text.charAt(to - 1))) {
            to--;
        }
        return text.substring(from, to);
    }

    private static boolean blank(char c) {
        return c == ' ' || c == '\t';
    }

    /** Whether either of the day fields suffices: only when neither begins with a star. */
    boolean either() {
        return !day.star() && !weekday.star();
    }

    boolean matchesDay(LocalDate date) {
        boolean byDate = day.has(date.getDayOfMonth());
        boolean byWeekday = weekday.has(date.getDayOfWeek().getValue() % 7);
        return month.has(date.getMonthValue()) && (either() ? byDate || byWeekday : byDate && byWeekday);
    }

    Stream<LocalDateTime> timesOf(LocalDate date) {
        return hour.values().boxed().flatMap(h -> minute.values().mapToObj(m -> date.atTime(h, m)));
    }

    /** Whether one of the months has one of the days, 29 February included. */
    boolean someDateComes() {
        Optional<Integer> longest =
                month.values().mapToObj(m -> Month.of(m).maxLength()).max(Integer::compare);
        int first = day.values().min().orElseThrow();
        return longest.filter(length -> first <= length).isPresent();
    }
}
