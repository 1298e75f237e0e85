package io.meshhost.machine.services;

import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;

/**
 * A five-field cron expression or a nickname, as cronie means it: names, 7 for Sunday, steps, lists,
 * ranges, and <em>either</em> of day-of-month and day-of-week when both are restricted (a field that
 * begins with {@code *} is unrestricted).
 *
 * @param text as declared
 */
@SuppressWarnings("DoNotCallSuggester")
public record Cron(String text) {
    /**
     * Reads an expression.
     *
     * @throws IllegalArgumentException whose message names the field, the allowed range and what to write;
     *     also for dates that never come ({@code 0 0 30 2 *}) and for {@code @reboot}
     */
    public static Cron parse(String text) {
        throw new UnsupportedOperationException();
    }

    /**
     * The first time after the given one, in its zone; an hour lost to daylight saving is skipped, as systemd
     * does. Empty when there is none within 30 years.
     */
    public Optional<ZonedDateTime> next(ZonedDateTime after) {
        throw new UnsupportedOperationException();
    }

    /** The values of {@code OnCalendar=} that together mean this: one or two lines (systemd.time(7)). */
    public List<String> calendar(Optional<ZoneId> zone) {
        throw new UnsupportedOperationException();
    }
}
