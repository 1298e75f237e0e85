package io.meshhost.machine.services;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random daily times around each change of the clock, held against systemd: a lost one is skipped, one that comes
 * twice is taken once.
 *
 * <p>Daily times only, and not every zone: in the hours before a lost one systemd 252 itself misses runs of steps
 * ("&#42;/25" in New York), answers in Chatham with "Resource deadlock avoided", and knows other rules than Java
 * where a country changed them of late (Moldova).
 */
class CronClockChangesTest {
    private static final int CHANGES = 4;
    private static final int TIMES = Boolean.getBoolean("full") ? 300 : 40;
    private static final int SECONDS_BEFORE = 3 * 3600;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Europe/Berlin",
                "America/New_York",
                "Australia/Lord_Howe",
                "America/Santiago",
                "Pacific/Auckland",
                "America/Havana",
                "Asia/Jerusalem",
                "Europe/Dublin",
                "UTC"
            })
    void systemdFiresAtTheSameTimes(String name) throws IOException, InterruptedException {
        ZoneId zone = ZoneId.of(name);
        Random random = new Random(name.hashCode());
        for (Instant change : changes(zone)) {
            ZonedDateTime start =
                    change.minusSeconds(random.nextInt(SECONDS_BEFORE)).atZone(zone);
            List<Cron> crons = Stream.generate(() -> random.nextInt(60) + " " + random.nextInt(6) + " * * *")
                    .limit(TIMES)
                    .map(Cron::parse)
                    .toList();
            List<String> lines = crons.stream()
                    .flatMap(cron -> cron.calendar(Optional.of(zone)).stream())
                    .toList();
            List<Optional<ZonedDateTime>> theirs = SystemdCalendar.next(lines, start);
            for (int i = 0; i < crons.size(); i++) {
                assertThat(crons.get(i).next(start).map(time -> time.withZoneSameInstant(ZoneOffset.UTC)))
                        .as("%s after %s", crons.get(i).text(), start)
                        .isEqualTo(theirs.get(i));
            }
        }
    }

    /** The next ones of the zone; where the clock never changes, some day. */
    private static List<Instant> changes(ZoneId zone) {
        List<Instant> changes = new ArrayList<>();
        Instant at = Instant.parse("2027-01-01T00:00:00Z");
        while (changes.size() < CHANGES) {
            ZoneOffsetTransition next = zone.getRules().nextTransition(at);
            if (next == null) {
                return List.of(at);
            }
            at = next.getInstant();
            changes.add(at);
        }
        return changes;
    }
}
