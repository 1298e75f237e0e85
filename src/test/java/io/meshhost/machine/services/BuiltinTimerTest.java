package io.meshhost.machine.services;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.machine.services.BuiltinTimer.Fire;
import io.meshhost.machine.services.BuiltinTimer.Look;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuiltinTimerTest {
    private static final ZoneId UTC = ZoneId.of("UTC");
    private static final Schedule HOURLY = schedule("0 * * * *", Optional.empty());
    private static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");

    @TempDir
    Path state;

    private final List<Instant> fired = new ArrayList<>();

    private static Schedule schedule(String cron, Optional<String> zone) {
        return new Schedule(Cron.parse(cron), zone.map(ZoneId::of));
    }

    private BuiltinTimer timer(FakeTime time) {
        BuiltinMeans means = BuiltinFixture.means(state, time, time, BuiltinFixture.QUICK, _ -> {});
        BuiltinStore store = new BuiltinStore(means.files(), BuiltinPlaces.of(means.places()));
        return new BuiltinTimer("job", store, means, Runnable::run, () -> fired.add(time.instant()));
    }

    @Test
    void itFiresAtEachOfItsTimesAndNotAtItsStart() {
        FakeTime time = new FakeTime(NOON.plusSeconds(90));
        timer(time).start(HOURLY);
        assertThat(fired).isEmpty();

        time.pass(Duration.ofHours(2));

        assertThat(fired).containsExactly(NOON.plusSeconds(3600), NOON.plusSeconds(7200));
    }

    @Test
    void whatWasMissedWhileTheHostWasOffIsCaughtUpOnce() {
        FakeTime time = new FakeTime(NOON.plusSeconds(1));
        BuiltinTimer before = timer(time);
        before.start(HOURLY);
        before.stop();
        time.pass(Duration.ofHours(5));
        assertThat(fired).isEmpty();

        timer(time).start(HOURLY);
        assertThat(fired).containsExactly(NOON.plusSeconds(5 * 3600 + 1));

        time.pass(Duration.ofMinutes(59));
        assertThat(fired).hasSize(1);
        time.pass(Duration.ofMinutes(1));
        assertThat(fired).last().isEqualTo(NOON.plusSeconds(6 * 3600));
    }

    @Test
    void aClockSetForwardIsNoticedWithinAMinuteAndFiresOnce() {
        FakeTime time = new FakeTime(NOON.plusSeconds(1));
        timer(time).start(HOURLY);
        time.step(NOON.plusSeconds(10 * 3600 + 600));

        time.pass(Duration.ofMinutes(1));

        assertThat(fired).hasSize(1);
        time.pass(Duration.ofMinutes(48));
        assertThat(fired).hasSize(1);
    }

    @Test
    void aClockSetBackDoesNotHoldTheScheduleUpUntilItIsThereAgain() {
        FakeTime time = new FakeTime(NOON.plusSeconds(1));
        timer(time).start(HOURLY);
        time.pass(Duration.ofHours(1));
        time.step(NOON.minus(Duration.ofDays(30)).plusSeconds(1));
        fired.clear();

        time.pass(Duration.ofHours(1));

        assertThat(fired).containsExactly(NOON.minus(Duration.ofDays(30)).plusSeconds(3600));
    }

    @Test
    void anHourThatDaylightSavingTakesIsSkipped() { // as systemd does
        Schedule nightly = schedule("30 2 * * *", Optional.of("Europe/Berlin"));
        FakeTime time = new FakeTime(Instant.parse("2027-03-27T12:00:00Z"));
        timer(time).start(nightly);

        time.pass(Duration.ofDays(2));

        // 02:30 does not come on the 28th; the 29th is at UTC+2.
        assertThat(fired).containsExactly(Instant.parse("2027-03-29T00:30:00Z"));
    }

    @Test
    void anHourThatComesTwiceFiresOnce() {
        Schedule nightly = schedule("30 2 * * *", Optional.of("Europe/Berlin"));
        FakeTime time = new FakeTime(Instant.parse("2026-10-24T12:00:00Z"));
        timer(time).start(nightly);

        time.pass(Duration.ofDays(1));

        assertThat(fired).containsExactly(Instant.parse("2026-10-25T00:30:00Z"));
    }

    @Test
    void aStoppedTimerFiresNoMoreAndLeavesNoTimerBehind() {
        FakeTime time = new FakeTime(NOON.plusSeconds(1));
        BuiltinTimer timer = timer(time);
        timer.start(HOURLY);
        timer.stop();

        time.pass(Duration.ofHours(3));

        assertThat(fired).isEmpty();
        assertThat(timer.running()).isFalse();
        assertThat(time.timers()).isZero();
    }

    @Test
    void stoppedAndStartedAtOnceItStillFiresOnceATime() {
        FakeTime time = new FakeTime(NOON.plusSeconds(1));
        BuiltinTimer timer = timer(time);
        timer.start(HOURLY);
        timer.stop();
        timer.start(HOURLY);

        time.pass(Duration.ofHours(1));

        assertThat(fired).hasSize(1);
        assertThat(time.timers()).isOne();
    }

    @Test
    void anotherScheduleCountsAtOnce() {
        FakeTime time = new FakeTime(NOON.plusSeconds(1));
        BuiltinTimer timer = timer(time);
        timer.start(HOURLY);
        timer.start(schedule("*/10 * * * *", Optional.empty()));

        time.pass(Duration.ofMinutes(11));

        assertThat(fired).containsExactly(NOON.plusSeconds(600));
    }

    @Test
    void aDecisionIsAboutTheFirstRunAfterTheLast() {
        assertThat(BuiltinTimer.decide(HOURLY, NOON, NOON.plusSeconds(3590), UTC))
                .isEqualTo(new Look(Duration.ofSeconds(10)));
        assertThat(BuiltinTimer.decide(HOURLY, NOON, NOON.plusSeconds(1), UTC))
                .isEqualTo(new Look(Duration.ofMinutes(1)));
        assertThat(BuiltinTimer.decide(HOURLY, NOON, NOON.plusSeconds(3600), UTC))
                .isEqualTo(new Fire());
    }
}
