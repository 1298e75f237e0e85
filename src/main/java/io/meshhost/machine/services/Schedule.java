package io.meshhost.machine.services;

import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.List;
import java.util.Optional;

/**
 * When a scheduled process runs: a cron expression and the zone in which it is meant.
 *
 * @param zone empty: the machine's own zone
 */
public record Schedule(Cron cron, Optional<ZoneId> zone) {
    /** How far ahead a lost hour is worth a word: the next change of the clocks in either half of the year. */
    private static final int WARNED_MONTHS = 12;

    /** The first run after the given time, whose zone is the machine's; in the schedule's zone. */
    public Optional<ZonedDateTime> next(ZonedDateTime after) {
        return cron.next(after.withZoneSameInstant(zone.orElse(after.getZone())));
    }

    /** The values of {@code OnCalendar=} (systemd.time(7)). */
    public List<String> calendar() {
        return cron.calendar(zone);
    }

    /**
     * The next forward change of the clocks, within a year, that swallows a run ("falls into the hour lost
     * on 2027-03-28"): the moment after the change, in the schedule's zone. Empty where the schedule is not
     * tied to certain hours: a job of every hour misses nothing when an hour does not exist.
     *
     * @param from from when to look; its zone is the machine's
     */
    public Optional<ZonedDateTime> nextSkipped(ZonedDateTime from) {
        if (cron.everyHour()) {
            return Optional.empty();
        }
        ZoneId where = zone.orElse(from.getZone());
        ZoneRules rules = where.getRules();
        ZonedDateTime end = from.plusMonths(WARNED_MONTHS);
        ZoneOffsetTransition change = rules.nextTransition(from.toInstant());
        while (change != null && change.getInstant().isBefore(end.toInstant())) {
            if (change.isGap() && swallows(change.getDateTimeBefore(), change.getDateTimeAfter())) {
                return Optional.of(change.getInstant().atZone(where));
            }
            change = rules.nextTransition(change.getInstant());
        }
        return Optional.empty();
    }

    private boolean swallows(LocalDateTime from, LocalDateTime until) {
        return cron.timesBetween(from, until).findAny().isPresent();
    }
}
