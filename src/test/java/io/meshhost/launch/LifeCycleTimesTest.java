package io.meshhost.launch;

import static io.meshhost.launch.Lives.LIMITS;
import static io.meshhost.launch.Lives.NOW;
import static io.meshhost.launch.Lives.START;
import static io.meshhost.launch.Lives.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The times of the life cycle: young and grown, silent, hung, spinning, back-off. */
class LifeCycleTimesTest {
    private static final LifeCycle CYCLE = new LifeCycle(LIMITS);

    private static State state(Life life) {
        return new State(life, 1, 0);
    }

    private static Life.Ready ready(long since, Life.Start start) {
        return new Life.Ready(start, since, OptionalLong.of(since));
    }

    @ParameterizedTest
    @CsvSource({"0, 2", "59.999999999, 2", "60, 1", "86400, 1"})
    void aDeathWithinAMinuteOfTheFirstReconcileCountsAsIfTheHostHadNotComeUp(String lived, int count) {
        long since = NOW - new java.math.BigDecimal(lived).movePointRight(9).longValueExact();
        Turn turn = CYCLE.turn(state(ready(since, Lives.start())), new Event.Exited(1), NOW);
        assertThat(turn.next().count()).isEqualTo(count);
        assertThat(turn.effects()).contains(new Effect.Count(count));
    }

    @Test
    void aYoungDeathAfterARollbackRestoresTheMarkThatTheHostTookAway() {
        Turn young = CYCLE.turn(state(ready(NOW - seconds(59), Lives.afterRollback())), new Event.Exited(1), NOW);
        Turn grown = CYCLE.turn(state(ready(NOW - seconds(60), Lives.afterRollback())), new Event.Exited(1), NOW);
        assertThat(young.effects()).contains(new Effect.Attempted());
        assertThat(grown.effects()).doesNotContain(new Effect.Attempted());
    }

    @Test
    void aHostThatWasNotHeardToBeReadyMayHaveTakenTheMarkAwayAllTheSame() {
        Turn turn = CYCLE.turn(
                state(new Life.Starting(Lives.afterRollback(), START, Life.HangUp.HEARS)), new Event.Exited(1), NOW);
        assertThat(turn.effects()).contains(new Effect.Attempted());
    }

    @Test
    void theFirstFailureOfTheDayIsOneWhateverWasCountedYears() {
        State state = new State(new Life.Deciding(), 0, 0);
        for (int day = 0; day < 10; day++) {
            Choice.Run run = new Choice.Run(
                    Lives.B, "it arrived last", state.count(), false, false, Optional.empty(), List.of());
            long morning = seconds(86_400L * day);
            State up = CYCLE.turn(state, new Event.Chosen(run), morning).next();
            State well =
                    CYCLE.turn(up, new Event.Ready(true), morning + seconds(3)).next();
            state = CYCLE.turn(well, new Event.Exited(134), morning + seconds(3600))
                    .next();
            assertThat(state.count()).isEqualTo(1);
            state = state.with(new Life.Deciding());
        }
    }

    @Test
    void aSignOfLifePutsTheStartTimeOutOff() {
        State starting = state(new Life.Starting(Lives.start(), START, Life.HangUp.HEARS));
        assertThat(CYCLE.due(starting)).hasValue(START + seconds(300));
        State alive =
                CYCLE.turn(starting, new Event.Alive(), START + seconds(299)).next();
        assertThat(CYCLE.due(alive)).hasValue(START + seconds(599));
    }

    @Test
    void aReadyHostIsSilentAfterAMinuteUnlessItIsAnOlderOneThatGivesNoSigns() {
        assertThat(CYCLE.due(state(ready(NOW, Lives.start())))).hasValue(NOW + seconds(60));
        assertThat(CYCLE.due(state(new Life.Ready(Lives.start(), NOW, OptionalLong.empty()))))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "143", "137"})
    void aHostThatHungIsCountedWhateverItsStatus(int status) {
        Turn turn = CYCLE.turn(state(Lives.ending(Lives.start(), false, Notice.TERM)), new Event.Exited(status), NOW);
        assertThat(turn.next()).isEqualTo(new State(new Life.Waiting(NOW + seconds(5)), 2, 0));
        assertThat(turn.effects()).contains(new Effect.Count(2));
    }

    @Test
    void afterTheStopTimeOutItIsKilledOnce() {
        State ending = state(Lives.ending(Lives.start(), true, Notice.TERM));
        assertThat(CYCLE.due(ending)).hasValue(seconds(1150));
        Turn turn = CYCLE.turn(ending, new Event.Due(), seconds(1150));
        assertThat(turn.effects()).contains(new Effect.Kill());
        assertThat(CYCLE.due(turn.next())).isEmpty();
    }

    @Test
    void termAndIntArePassedOnOnceEach() {
        State state = state(new Life.Starting(Lives.start(), START, Life.HangUp.HEARS));
        List<Effect> sent = new java.util.ArrayList<>();
        for (Notice notice : List.of(Notice.TERM, Notice.TERM, Notice.INT, Notice.TERM, Notice.INT)) {
            Turn turn = CYCLE.turn(state, new Event.Told(notice), NOW);
            turn.effects().stream().filter(Effect.Send.class::isInstance).forEach(sent::add);
            state = turn.next();
        }
        assertThat(sent).containsExactly(new Effect.Send(Notice.TERM), new Effect.Send(Notice.INT));
    }

    @Test
    void oneThatHangsIsNotToldTwiceWhenTheSupervisorIsToStopToo() {
        State hangs = state(Lives.ending(Lives.start(), false, Notice.TERM));
        Turn turn = CYCLE.turn(hangs, new Event.Told(Notice.TERM), NOW);
        assertThat(turn.effects()).isEmpty();
        assertThat(CYCLE.turn(turn.next(), new Event.Exited(143), NOW).next().life())
                .isEqualTo(new Life.Over(0, Optional.empty()));
    }

    @Test
    void moreThanFiveCleanExitsWithinASecondEachWaitTheBackOffAndAreNotCounted() {
        State state = new State(new Life.Deciding(), 2, 0);
        for (int exit = 1; exit <= 7; exit++) {
            Turn turn = cleanExit(state, Duration.ofMillis(999));
            assertThat(turn.next().count()).isEqualTo(2);
            assertThat(turn.next().life())
                    .isEqualTo(exit <= 5 ? new Life.Deciding() : new Life.Waiting(NOW + seconds(5) + 999_000_000));
            state = turn.next().with(new Life.Deciding());
        }
    }

    @Test
    void aCleanExitAfterASecondBeginsTheCountOfSpinsAnew() {
        State state = new State(new Life.Deciding(), 0, 5);
        Turn turn = cleanExit(state, Duration.ofSeconds(1));
        assertThat(turn.next()).isEqualTo(new State(new Life.Deciding(), 0, 0));
    }

    private static Turn cleanExit(State state, Duration lived) {
        Choice.Run run =
                new Choice.Run(Lives.B, "it arrived last", state.count(), false, false, Optional.empty(), List.of());
        State up = CYCLE.turn(state, new Event.Chosen(run), NOW).next();
        return CYCLE.turn(up, new Event.Exited(0), NOW + lived.toNanos());
    }

    @Test
    void withoutABackOffTheNextChoiceIsMadeAtOnceAndKnowsOfTheFailure() {
        LifeCycle quick = new LifeCycle(new Limits(3, Duration.ZERO, LIMITS.start(), LIMITS.stop(), false));
        Turn turn = quick.turn(state(ready(NOW - seconds(1), Lives.afterRollback())), new Event.Exited(1), NOW);
        assertThat(turn.next().life()).isEqualTo(new Life.Deciding());
        assertThat(turn.effects().indexOf(new Effect.Choose()))
                .isGreaterThan(turn.effects().indexOf(new Effect.Count(2)))
                .isGreaterThan(turn.effects().indexOf(new Effect.Attempted()));
    }

    @ParameterizedTest
    @CsvSource({"7, 7", "143, 143", "0, 1"})
    void runOnceEndsWithTheStatusOfTheFirstCountedFailure(int status, int own) {
        LifeCycle once = new LifeCycle(new Limits(3, LIMITS.backOff(), LIMITS.start(), LIMITS.stop(), true));
        State hangs = state(Lives.ending(Lives.start(), false, Notice.TERM));
        Turn turn = once.turn(hangs, new Event.Exited(status), NOW);
        assertThat(turn.next().life()).isEqualTo(new Life.Over(own, Optional.empty()));
        assertThat(turn.effects()).contains(new Effect.Count(2));
    }

    @Test
    void runOnceGoesOnAfterACleanExit() {
        LifeCycle once = new LifeCycle(new Limits(3, LIMITS.backOff(), LIMITS.start(), LIMITS.stop(), true));
        Turn turn =
                once.turn(state(new Life.Starting(Lives.start(), START, Life.HangUp.HEARS)), new Event.Exited(0), NOW);
        assertThat(turn.effects()).contains(new Effect.Choose());
    }

    @Test
    void termInTheBackOffEndsAtOnceAndNothingIsStartedAnyMore() {
        Turn turn = CYCLE.turn(state(new Life.Waiting(NOW + seconds(5))), new Event.Told(Notice.TERM), NOW);
        assertThat(turn).isEqualTo(Turn.of(state(new Life.Over(0, Optional.empty()))));
    }

    @Test
    void aSecondWordOfReadyChangesNothingButThatSilenceIsHeardFromNowOn() {
        Life.Ready older = new Life.Ready(Lives.start(), NOW - seconds(2), OptionalLong.empty());
        State next = CYCLE.turn(state(older), new Event.Ready(true), NOW).next();
        assertThat(next.life()).isEqualTo(new Life.Ready(Lives.start(), NOW - seconds(2), OptionalLong.of(NOW)));
    }

    @Test
    void theRollbackProgramIsKilledTooWhenItDoesNotStop() {
        Turn told = CYCLE.turn(state(new Life.Restoring()), new Event.Told(Notice.INT), NOW);
        assertThat(told.next().life())
                .isEqualTo(new Life.Ending(
                        Optional.empty(),
                        OptionalLong.empty(),
                        true,
                        OptionalLong.of(NOW + seconds(90)),
                        EnumSet.of(Notice.INT)));
        assertThat(CYCLE.turn(told.next(), new Event.Due(), NOW + seconds(90)).effects())
                .contains(new Effect.Kill());
    }
}
