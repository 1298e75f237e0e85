package io.meshhost.machine.services;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.machine.services.Life.Cleared;
import io.meshhost.machine.services.Life.Due;
import io.meshhost.machine.services.Life.EndTree;
import io.meshhost.machine.services.Life.Ending;
import io.meshhost.machine.services.Life.Event;
import io.meshhost.machine.services.Life.Exited;
import io.meshhost.machine.services.Life.Failed;
import io.meshhost.machine.services.Life.Forget;
import io.meshhost.machine.services.Life.Launch;
import io.meshhost.machine.services.Life.NotSpawned;
import io.meshhost.machine.services.Life.Overran;
import io.meshhost.machine.services.Life.Rearm;
import io.meshhost.machine.services.Life.Refused;
import io.meshhost.machine.services.Life.Restart;
import io.meshhost.machine.services.Life.Run;
import io.meshhost.machine.services.Life.Running;
import io.meshhost.machine.services.Life.Spawned;
import io.meshhost.machine.services.Life.Start;
import io.meshhost.machine.services.Life.Starting;
import io.meshhost.machine.services.Life.Stop;
import io.meshhost.machine.services.Life.Stopped;
import io.meshhost.machine.services.Life.Then;
import io.meshhost.machine.services.Life.Turn;
import io.meshhost.machine.services.Life.Waiting;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LifeTest {
    private static final boolean KEPT = true;
    private static final boolean ONESHOT = false;
    private static final Run RUN = new Run(3, 2);
    private static final Run ASKED = new Run(4, 0);
    private static final Run AGAIN = new Run(4, 3);

    private static final Life STOPPED = new Stopped(RUN, "success");
    private static final Life FAILED = new Failed(RUN, "exit-code");
    private static final Life STARTING = new Starting(RUN, "success");
    private static final Life RUNNING = new Running(RUN, "success", 77, 5000);
    private static final Life WAITING = new Waiting(RUN, "signal");

    private static Life ending(Then then, String result) {
        return new Ending(RUN, result, then);
    }

    private static Arguments row(Life from, Event event, boolean kept, Life to, Life.Effect... effects) {
        return Arguments.of(from, event, kept, new Turn(to, Stream.of(effects).findFirst()));
    }

    static Stream<Arguments> table() {
        Life started = new Starting(ASKED, "success");
        return Stream.of(
                row(STOPPED, new Start(), KEPT, started, new Launch(ASKED)),
                row(STOPPED, new Restart(), KEPT, started, new Launch(ASKED)),
                row(STOPPED, new Stop(), KEPT, STOPPED),
                row(FAILED, new Start(), KEPT, started, new Launch(ASKED)),
                row(FAILED, new Stop(), KEPT, FAILED),
                row(FAILED, new Forget(), KEPT, STOPPED),
                row(STOPPED, new Refused(), ONESHOT, new Failed(RUN, "start-limit-hit")),
                row(STARTING, new Start(), KEPT, STARTING),
                row(STARTING, new Spawned(3, 77, 5000), KEPT, RUNNING),
                row(STARTING, new NotSpawned(3), KEPT, new Waiting(RUN, "resources"), new Rearm(3)),
                row(STARTING, new NotSpawned(3), ONESHOT, new Failed(RUN, "resources")),
                row(STARTING, new Stop(), KEPT, ending(Then.STOP, "success")),
                row(STARTING, new Restart(), KEPT, ending(Then.START, "success")),
                row(RUNNING, new Start(), KEPT, RUNNING),
                row(RUNNING, new Stop(), KEPT, ending(Then.STOP, "success"), new EndTree(3)),
                row(RUNNING, new Restart(), KEPT, ending(Then.START, "success"), new EndTree(3)),
                row(RUNNING, new Exited(3, 0), KEPT, ending(Then.AGAIN, "success"), new EndTree(3)),
                row(RUNNING, new Exited(3, 137), KEPT, ending(Then.AGAIN, "signal"), new EndTree(3)),
                row(RUNNING, new Exited(3, 0), ONESHOT, ending(Then.REST, "success"), new EndTree(3)),
                row(RUNNING, new Exited(3, 2), ONESHOT, ending(Then.REST, "exit-code"), new EndTree(3)),
                row(RUNNING, new Overran(3), ONESHOT, ending(Then.REST, "timeout"), new EndTree(3)),
                row(ending(Then.AGAIN, "signal"), new Cleared(3, false), KEPT, WAITING, new Rearm(3)),
                row(ending(Then.STOP, "success"), new Cleared(3, false), KEPT, STOPPED),
                row(ending(Then.STOP, "success"), new Cleared(3, true), KEPT, new Failed(RUN, "timeout")),
                row(ending(Then.REST, "exit-code"), new Cleared(3, false), ONESHOT, FAILED),
                row(ending(Then.START, "success"), new Cleared(3, false), KEPT, started, new Launch(ASKED)),
                row(ending(Then.AGAIN, "signal"), new Stop(), KEPT, ending(Then.STOP, "signal")),
                row(ending(Then.STOP, "success"), new Start(), KEPT, ending(Then.START, "success")),
                row(ending(Then.START, "success"), new Stop(), KEPT, ending(Then.STOP, "success")),
                row(
                        ending(Then.STOP, "success"),
                        new Spawned(3, 77, 1),
                        KEPT,
                        ending(Then.STOP, "success"),
                        new EndTree(3)),
                row(ending(Then.STOP, "success"), new NotSpawned(3), KEPT, STOPPED),
                row(ending(Then.STOP, "success"), new Exited(3, 143), KEPT, ending(Then.STOP, "success")),
                row(ending(Then.STOP, "success"), new Exited(3, 1), KEPT, ending(Then.STOP, "exit-code")),
                row(ending(Then.REST, "timeout"), new Exited(3, 143), ONESHOT, ending(Then.REST, "timeout")),
                row(WAITING, new Due(3), KEPT, new Starting(AGAIN, "success"), new Launch(AGAIN)),
                row(WAITING, new Start(), KEPT, started, new Launch(ASKED)),
                row(WAITING, new Restart(), KEPT, started, new Launch(ASKED)),
                row(WAITING, new Stop(), KEPT, new Stopped(RUN, "signal")));
    }

    @ParameterizedTest
    @MethodSource("table")
    void eachEventLeadsWhereTheTableSays(Life from, Event event, boolean kept, Turn to) {
        assertThat(Life.turn(from, event, kept)).isEqualTo(to);
    }

    @Test
    void eventsOfAnEarlierRunChangeNothing() {
        List<Life> all = List.of(
                STOPPED,
                FAILED,
                STARTING,
                RUNNING,
                WAITING,
                ending(Then.STOP, "success"),
                ending(Then.AGAIN, "signal"));
        List<Event> late = List.of(
                new Spawned(2, 1, 1),
                new NotSpawned(2),
                new Exited(2, 1),
                new Overran(2),
                new Cleared(2, true),
                new Due(2));
        for (Life life : all) {
            for (Event event : late) {
                assertThat(Life.turn(life, event, KEPT)).isEqualTo(new Turn(life, Optional.empty()));
            }
        }
    }

    @Test
    void aRestartTimerThatComesAfterAStopStartsNothing() {
        Life stopped = Life.turn(WAITING, new Stop(), KEPT).next();

        assertThat(Life.turn(stopped, new Due(3), KEPT)).isEqualTo(new Turn(stopped, Optional.empty()));
    }

    @Test
    void somebodysStartCountsRestartsFromZeroAgain() {
        assertThat(Life.turn(WAITING, new Due(3), KEPT).next().run().restarts()).isEqualTo(3);
        assertThat(Life.turn(WAITING, new Start(), KEPT).next().run().restarts())
                .isZero();
    }
}
