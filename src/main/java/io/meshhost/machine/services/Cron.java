package io.meshhost.machine.services;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A five-field cron expression or a nickname, as cronie means it: names, 7 for Sunday, steps, lists,
 * ranges, and <em>either</em> of day-of-month and day-of-week when both are restricted (a field that
 * begins with {@code *} is unrestricted). Ranges of weekdays may run over the end of the week.
 *
 * <p>See crontab(5), systemd.time(7) and docs/decisions/0002-cron.md. Equal when written alike.
 *
 * @param text as declared
 */
public record Cron(String text) {
    /** Every pattern of dates and weekdays comes again within 40 years; a little more, to be sure. */
    private static final int HORIZON_YEARS = 50;

    /** As {@link #parse}: there is no Cron that does not mean anything. */
    public Cron {
        CronFields.parse(text);
    }

    /**
     * Reads an expression.
     *
     * @throws IllegalArgumentException whose message names the field, the allowed range and what to write;
     *     also for dates that never come ({@code 0 0 30 2 *}) and for {@code @reboot}
     */
    public static Cron parse(String text) {
        return new Cron(text);
    }

    /**
     * The first time after the given one, in its zone; an hour lost to daylight saving is skipped and an
     * hour that comes twice counts once, as systemd does. Empty when there is none within 50 years.
     */
    public Optional<ZonedDateTime> next(ZonedDateTime after) {
        CronFields fields = CronFields.parse(text);
        ZoneId zone = after.getZone();
        LocalDateTime local = after.toLocalDateTime();
        LocalDate first = local.toLocalDate();
        return first.datesUntil(first.plusYears(HORIZON_YEARS))
                .filter(fields::matchesDay)
                .flatMap(fields::timesOf)
                .filter(time -> time.isAfter(local) && comes(time, zone))
                .findFirst()
                .map(time -> ZonedDateTime.ofLocal(time, zone, after.getOffset()));
    }

    /** False for a time that the clocks of the zone jump over. */
    private static boolean comes(LocalDateTime time, ZoneId zone) {
        return !zone.getRules().getValidOffsets(time).isEmpty();
    }

    /** The values of {@code OnCalendar=} that together mean this: one or two lines (systemd.time(7)). */
    public List<String> calendar(Optional<ZoneId> zone) {
        String suffix = zone.map(id -> " " + id.getId()).orElse("");
        return CronCalendar.lines(CronFields.parse(text)).stream()
                .map(line -> line + suffix)
                .toList();
    }

    /** Whether the hour field begins with a star: a job that is not tied to certain hours. */
    boolean everyHour() {
        return CronFields.parse(text).hour().star();
    }

    /** The times from the first up to, not including, the second, by a clock that never jumps. */
    Stream<LocalDateTime> timesBetween(LocalDateTime from, LocalDateTime until) {
        CronFields fields = CronFields.parse(text);
        return from.toLocalDate()
                .datesUntil(until.toLocalDate().plusDays(1))
                .filter(fields::matchesDay)
                .flatMap(fields::timesOf)
                .filter(time -> !time.isBefore(from) && time.isBefore(until));
    }
}
