package io.meshhost.machine.services;

import java.util.List;
import java.util.Optional;

/**
 * Where the life of one kept process stands, and the whole of what may come next: pure, a table of state by
 * event. The words are those of systemd's service states (systemd.service(5)), so that both supervisors tell
 * an operator the same.
 *
 * <p>Events of an earlier run than the present one change nothing: a timer or an exit may always come late.
 */
sealed interface Life {
    /** The run that the state speaks of: the present one, or the last. */
    Run run();

    /** systemd's Result= of the last run that ended. */
    String result();

    /** inactive/dead. */
    record Stopped(Run run, String result) implements Life {}

    /** failed/failed: it stays down until somebody starts it. */
    record Failed(Run run, String result) implements Life {}

    /** Asked of the machine, no pid yet. */
    record Starting(Run run, String result) implements Life {}

    /**
     * @param started field 22 of /proc/pid/stat: with the pid, the identity of the process
     */
    record Running(Run run, String result, int pid, long started) implements Life {}

    /** Down, to be started again when {@link Due} comes. */
    record Waiting(Run run, String result) implements Life {}

    /** Being ended, or ended with others of its tree still there. */
    record Ending(Run run, String result, Then then) implements Life {}

    /** What follows once nothing of the run is left. */
    enum Then {
        STOP,
        /** As STOP, for a process that was meant to end: its own result counts. */
        REST,
        /** After the delay. */
        AGAIN,
        /** At once. */
        START
    }

    /**
     * @param number counts every start of this process, from 1; 0 is "none yet"
     * @param restarts how many of them since somebody last started it were the supervisor's own
     */
    record Run(long number, int restarts) {
        static final Run NONE = new Run(0, 0);

        private Run asked() {
            return new Run(number + 1, 0);
        }

        private Run again() {
            return new Run(number + 1, restarts + 1);
        }
    }

    /** What happens to a process. */
    sealed interface Event {}

    record Start() implements Event {}

    record Stop() implements Event {}

    record Restart() implements Event {}

    /** Started too often (systemd.unit(5) StartLimitBurst=). */
    record Refused() implements Event {}

    /** The trace of a failure is wiped. */
    record Forget() implements Event {}

    record Spawned(long run, int pid, long started) implements Event {}

    record NotSpawned(long run) implements Event {}

    /** The main process ended; status as a shell counts it. */
    record Exited(long run, int status) implements Event {}

    record Overran(long run) implements Event {}

    /** Nothing of the tree is left; {@code forced}: only KILL helped. */
    record Cleared(long run, boolean forced) implements Event {}

    record Due(long run) implements Event {}

    /** What is to be done about it, after the state is set. */
    sealed interface Effect {}

    record Launch(Run run) implements Effect {}

    record EndTree(long run) implements Effect {}

    /** Let {@link Due} come after the restart delay. */
    record Rearm(long run) implements Effect {}

    record Turn(Life next, Optional<Effect> effect) {
        private static Turn to(Life next) {
            return new Turn(next, Optional.empty());
        }

        private static Turn to(Life next, Effect effect) {
            return new Turn(next, Optional.of(effect));
        }

        /** As systemd does, a start wipes the result of the run before. */
        private static Turn launch(Run run) {
            return to(new Starting(run, "success"), new Launch(run));
        }
    }

    /** Statuses that systemd counts as a clean end: 0 and the signals HUP, INT, PIPE, TERM. */
    List<Integer> CLEAN = List.of(0, 129, 130, 141, 143);

    static Life unborn() {
        return new Stopped(Run.NONE, "success");
    }

    /** A state in which a wish to start or stop has come to its end. */
    default boolean settled() {
        return switch (this) {
            case Stopped _, Failed _, Running _, Waiting _ -> true;
            case Starting _, Ending _ -> false;
        };
    }

    /**
     * @param kept a daemon, started again whenever it ends; false: it runs to its end
     */
    static Turn turn(Life life, Event event, boolean kept) {
        return switch (life) {
            case Stopped down -> whenDown(down, event);
            case Failed down -> whenDown(down, event);
            case Starting starting -> whenStarting(starting, event, kept);
            case Running running -> whenRunning(running, event, kept);
            case Waiting waiting -> whenWaiting(waiting, event);
            case Ending ending -> whenEnding(ending, event, kept);
        };
    }

    private static Turn whenDown(Life down, Event event) {
        return switch (event) {
            case Start _, Restart _ -> Turn.launch(down.run().asked());
            case Refused _ -> Turn.to(new Failed(down.run(), "start-limit-hit"));
            case Forget _ -> Turn.to(new Stopped(down.run(), "success"));
            case Stop _, Spawned _, NotSpawned _, Exited _, Overran _, Cleared _, Due _ -> Turn.to(down);
        };
    }

    private static Turn whenStarting(Starting now, Event event, boolean kept) {
        return switch (event) {
            // The pid is not known yet: what is to be ended is ended as soon as it is.
            case Stop _ -> Turn.to(new Ending(now.run(), "success", Then.STOP));
            case Restart _ -> Turn.to(new Ending(now.run(), "success", Then.START));
            case Spawned(long run, int pid, long started)
            when run == now.run().number() -> Turn.to(new Running(now.run(), now.result(), pid, started));
            case NotSpawned(long run)
            when run == now.run().number() ->
                kept ? waiting(now.run(), "resources") : Turn.to(new Failed(now.run(), "resources"));
            case Start _, Refused _, Forget _, Spawned _, NotSpawned _, Exited _, Overran _, Cleared _, Due _ ->
                Turn.to(now);
        };
    }

    private static Turn whenRunning(Running now, Event event, boolean kept) {
        long number = now.run().number();
        return switch (event) {
            case Stop _ -> ending(now.run(), "success", Then.STOP);
            case Restart _ -> ending(now.run(), "success", Then.START);
            case Exited(long run, int status)
            when run == number -> ending(now.run(), resultOf(status), kept ? Then.AGAIN : Then.REST);
            case Overran(long run) when run == number -> ending(now.run(), "timeout", kept ? Then.AGAIN : Then.REST);
            case Start _, Refused _, Forget _, Spawned _, NotSpawned _, Exited _, Overran _, Cleared _, Due _ ->
                Turn.to(now);
        };
    }

    private static Turn whenWaiting(Waiting now, Event event) {
        return switch (event) {
            case Start _, Restart _ -> Turn.launch(now.run().asked());
            case Stop _ -> Turn.to(new Stopped(now.run(), now.result()));
            case Due(long run)
            when run == now.run().number() -> Turn.launch(now.run().again());
            case Refused _, Forget _, Spawned _, NotSpawned _, Exited _, Overran _, Cleared _, Due _ -> Turn.to(now);
        };
    }

    private static Turn whenEnding(Ending now, Event event, boolean kept) {
        long number = now.run().number();
        return switch (event) {
            case Stop _ -> Turn.to(new Ending(now.run(), now.result(), Then.STOP));
            case Start _, Restart _ -> Turn.to(new Ending(now.run(), now.result(), Then.START));
            case Spawned(long run, int _, long _) when run == number -> Turn.to(now, new EndTree(number));
            case NotSpawned(long run) when run == number -> settle(now, now.result(), kept);
            // A program that answers TERM with a status of its own is said to have failed, as by systemd.
            case Exited(long run, int status)
            when run == number && now.result().equals("success") ->
                Turn.to(new Ending(now.run(), resultOf(status), now.then()));
            case Cleared(long run, boolean forced)
            when run == number -> settle(now, forced ? "timeout" : now.result(), kept);
            case Refused _, Forget _, Spawned _, NotSpawned _, Exited _, Overran _, Cleared _, Due _ -> Turn.to(now);
        };
    }

    private static Turn settle(Ending now, String result, boolean kept) {
        return switch (now.then()) {
            case START -> Turn.launch(now.run().asked());
            // A description may have become a schedule while its daemon was on the way down.
            case AGAIN -> kept ? waiting(now.run(), result) : Turn.to(ended(now.run(), result));
            case STOP, REST -> Turn.to(ended(now.run(), result));
        };
    }

    private static Life ended(Run run, String result) {
        return result.equals("success") ? new Stopped(run, result) : new Failed(run, result);
    }

    private static Turn ending(Run run, String result, Then then) {
        return Turn.to(new Ending(run, result, then), new EndTree(run.number()));
    }

    private static Turn waiting(Run run, String result) {
        return Turn.to(new Waiting(run, result), new Rearm(run.number()));
    }

    private static String resultOf(int status) {
        if (CLEAN.contains(status)) {
            return "success";
        }
        return status > 128 ? "signal" : "exit-code";
    }
}
