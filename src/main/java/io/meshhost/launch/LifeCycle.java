package io.meshhost.launch;

import io.meshhost.launch.Event.Told;
import io.meshhost.launch.Life.HangUp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** What every event means in every state (SPEC 1). Pure: the whole policy of the supervisor, in one place. */
record LifeCycle(Limits limits) {
    /** As a shell says that a program could not be executed. */
    static final int NOT_EXECUTABLE = 126;

    Turn turn(State state, Event event, long now) {
        return switch (state.life()) {
            case Life.Deciding _ -> deciding(state, event, now);
            case Life.Restoring _ -> restoring(state, event, now);
            case Life.Starting starting -> starting(state, starting, event, now);
            case Life.Ready ready -> ready(state, ready, event, now);
            case Life.Ending ending -> ending(state, ending, event, now);
            case Life.Waiting _ -> waiting(state, event);
            case Life.Over _ -> Turn.of(state);
        };
    }

    /** When {@link Event.Due} is to come; empty: nothing is waited for. */
    OptionalLong due(State state) {
        return switch (state.life()) {
            case Life.Starting starting -> OptionalLong.of(starting.sign() + nanos(limits.start()));
            case Life.Ready ready ->
                ready.sign().isPresent()
                        ? OptionalLong.of(ready.sign().getAsLong() + nanos(Limits.SILENT))
                        : OptionalLong.empty();
            case Life.Ending ending -> ending.limit();
            case Life.Waiting waiting -> OptionalLong.of(waiting.until());
            case Life.Deciding _, Life.Restoring _, Life.Over _ -> OptionalLong.empty();
        };
    }

    private Turn deciding(State state, Event event, long now) {
        return switch (event) {
            case Event.Chosen(Choice choice) -> chosen(state, choice, now);
            case Told(Notice notice) when notice != Notice.HUP -> over(state, 0);
            case Told _, Event.NotStarted _, Event.Exited _, Event.Ready _, Event.Alive _, Event.Due _ ->
                Turn.of(state);
        };
    }

    private static Turn chosen(State state, Choice choice, long now) {
        return switch (choice) {
            case Choice.Run run -> run(state, run, now);
            case Choice.Script script ->
                Turn.of(
                        state.with(new Life.Restoring()),
                        new Effect.Say("the host failed " + script.count() + " times. rolling back."),
                        new Effect.RunScript());
            case Choice.GoBack back ->
                Turn.of(
                        new State(new Life.Deciding(), 0, state.spins()),
                        new Effect.Say("the host failed " + back.count() + " times. rolling back to "
                                + back.to().words() + "."),
                        new Effect.GoBack(back),
                        new Effect.Choose());
            case Choice.Halt halt -> halt(state, halt);
        };
    }

    private static Turn run(State state, Choice.Run run, long now) {
        Life.Start start = new Life.Start(run.host(), run.why(), now, run.count(), run.attempted());
        return new Turn(
                new State(new Life.Starting(start, now, HangUp.DEAF), run.count(), state.spins()), Orders.toRun(run));
    }

    private static Turn halt(State state, Choice.Halt halt) {
        Effect.Say halted =
                new Effect.Say("halted: " + (halt.reason().isEmpty() ? "reason not recorded" : halt.reason()));
        Effect.Say person = new Effect.Say(
                "not starting the host. this node needs a person: nox-mesh-host versions, then nox-mesh-host resume");
        State over = state.with(new Life.Over(0, Optional.of(halt.reason())));
        return halt.known()
                ? Turn.of(over, halted, person)
                : Turn.of(over, new Effect.Halt(halt.reason()), halted, person);
    }

    private Turn restoring(State state, Event event, long now) {
        return switch (event) {
            case Event.Exited(int status)
            when status == 0 ->
                // Remembered by us too: a program that forgot to would be run again and again for ever.
                Turn.of(
                        new State(new Life.Deciding(), 0, state.spins()),
                        new Effect.Count(0),
                        new Effect.Attempted(),
                        new Effect.Choose());
            case Event.Exited _, Event.NotStarted _ -> halt(state, new Choice.Halt(Choosing.ROLLBACK_FAILED, false));
            case Told(Notice notice)
            when notice != Notice.HUP -> stop(state, Optional.empty(), OptionalLong.empty(), notice, now);
            case Told _, Event.Chosen _, Event.Ready _, Event.Alive _, Event.Due _ -> Turn.of(state);
        };
    }

    private Turn starting(State state, Life.Starting life, Event event, long now) {
        return switch (event) {
            case Event.NotStarted(String reason) -> failed(state, life.start(), NOT_EXECUTABLE, reason, now);
            case Event.Exited(int status) -> exited(state, life.start(), OptionalLong.empty(), status, now);
            case Event.Ready(boolean spoken) ->
                Turn.of(
                        new State(new Life.Ready(life.start(), now, sign(spoken, now)), 0, state.spins()),
                        owed(
                                life,
                                new Effect.CameUp(),
                                new Effect.Say(life.start().host().words() + " has completed its first reconcile")));
            case Event.Alive _ -> Turn.of(state.with(new Life.Starting(life.start(), now, HangUp.HEARS)), owed(life));
            // Once, however many come; and when it ends first, its successor reconciles at its start anyway.
            case Told(Notice notice)
            when notice == Notice.HUP && life.hangUp() != HangUp.HEARS ->
                Turn.of(state.with(new Life.Starting(life.start(), life.sign(), HangUp.OWED)));
            case Told(Notice notice) -> told(state, life.start(), OptionalLong.empty(), notice, now);
            case Event.Due _ ->
                hung(
                        state,
                        life.start(),
                        OptionalLong.empty(),
                        "it has not completed a reconcile, and gave no sign of life for " + words(limits.start()),
                        now);
            case Event.Chosen _ -> Turn.of(state);
        };
    }

    private static Effect[] owed(Life.Starting life, Effect... effects) {
        List<Effect> all = new ArrayList<>(List.of(effects));
        if (life.hangUp() == HangUp.OWED) {
            all.add(new Effect.Send(Notice.HUP));
        }
        return all.toArray(Effect[]::new);
    }

    private Turn ready(State state, Life.Ready life, Event event, long now) {
        OptionalLong since = OptionalLong.of(life.since());
        return switch (event) {
            case Event.Exited(int status) -> exited(state, life.start(), since, status, now);
            case Event.Alive _ -> Turn.of(state.with(new Life.Ready(life.start(), life.since(), OptionalLong.of(now))));
            case Told(Notice notice) -> told(state, life.start(), since, notice, now);
            case Event.Due _ ->
                hung(state, life.start(), since, "it gave no sign of life for " + words(Limits.SILENT), now);
            // Its files were quicker than its word; from now on it can be silent.
            case Event.Ready(boolean spoken)
            when spoken && life.sign().isEmpty() ->
                Turn.of(state.with(new Life.Ready(life.start(), life.since(), sign(true, now))));
            case Event.Ready _, Event.NotStarted _, Event.Chosen _ -> Turn.of(state);
        };
    }

    private static OptionalLong sign(boolean spoken, long now) {
        return spoken ? OptionalLong.of(now) : OptionalLong.empty();
    }

    private Turn told(State state, Life.Start start, OptionalLong readySince, Notice notice, long now) {
        return notice == Notice.HUP
                ? Turn.of(state, new Effect.Send(Notice.HUP))
                : stop(state, Optional.of(start), readySince, notice, now);
    }

    private Turn stop(State state, Optional<Life.Start> start, OptionalLong readySince, Notice notice, long now) {
        OptionalLong limit = OptionalLong.of(now + nanos(limits.stop()));
        return Turn.of(
                state.with(new Life.Ending(start, readySince, true, limit, EnumSet.of(notice))),
                new Effect.Say("stopping: passing the signal to the host"),
                new Effect.Send(notice));
    }

    private Turn hung(State state, Life.Start start, OptionalLong readySince, String why, long now) {
        OptionalLong limit = OptionalLong.of(now + nanos(limits.stop()));
        return Turn.of(
                state.with(new Life.Ending(Optional.of(start), readySince, false, limit, EnumSet.of(Notice.TERM))),
                new Effect.Say("ending " + start.host().words() + ": " + why),
                new Effect.Send(Notice.TERM));
    }

    private Turn ending(State state, Life.Ending life, Event event, long now) {
        return switch (event) {
            case Event.Exited(int status) ->
                life.stopping() || life.start().isEmpty()
                        ? over(state, 0)
                        // Whatever its status: one that hung and then ended cleanly has hung.
                        : failed(state, life.start().get(), status, "it hung", life.readySince(), now);
            case Told(Notice notice) when notice != Notice.HUP -> alsoTold(state, life, notice);
            case Event.Due _ ->
                Turn.of(
                        state.with(new Life.Ending(
                                life.start(), life.readySince(), life.stopping(), OptionalLong.empty(), life.passed())),
                        new Effect.Say("it did not end within " + words(limits.stop()) + "; killing it"),
                        new Effect.Kill());
            case Told _, Event.NotStarted _, Event.Chosen _, Event.Ready _, Event.Alive _ -> Turn.of(state);
        };
    }

    /** Each signal is passed on once: a host that is told twice may take the second for an order to drop everything. */
    private static Turn alsoTold(State state, Life.Ending life, Notice notice) {
        Set<Notice> passed = EnumSet.copyOf(life.passed());
        boolean anew = passed.add(notice);
        State next = state.with(new Life.Ending(life.start(), life.readySince(), true, life.limit(), passed));
        return anew ? Turn.of(next, new Effect.Send(notice)) : Turn.of(next);
    }

    private static Turn waiting(State state, Event event) {
        return switch (event) {
            case Told(Notice notice) when notice != Notice.HUP -> over(state, 0);
            case Event.Due _ -> Turn.of(state.with(new Life.Deciding()), new Effect.Choose());
            case Told _, Event.Exited _, Event.NotStarted _, Event.Chosen _, Event.Ready _, Event.Alive _ ->
                Turn.of(state);
        };
    }

    private Turn exited(State state, Life.Start start, OptionalLong readySince, int status, long now) {
        return status == 0
                ? clean(state, start, now)
                : failed(state, start, status, "the host exited " + status, readySince, now);
    }

    /** How a host stands aside for its successor: never counted. One that does nothing else is slowed down. */
    private Turn clean(State state, Life.Start start, long now) {
        int spins = now - start.at() < nanos(Limits.SPIN) ? state.spins() + 1 : 0;
        if (spins > Limits.SPINS) {
            return again(
                    new State(state.life(), state.count(), spins),
                    now,
                    new Effect.Say("the host exited cleanly " + spins + " times in a row, each within a second;"
                            + " starting it again in " + words(limits.backOff())));
        }
        return Turn.of(
                new State(new Life.Deciding(), state.count(), spins),
                new Effect.Choose(),
                new Effect.Say("the host exited cleanly; starting it again"));
    }

    private Turn failed(State state, Life.Start start, int status, String reason, long now) {
        return failed(state, start, status, reason, OptionalLong.empty(), now);
    }

    private Turn failed(State state, Life.Start start, int status, String what, OptionalLong readySince, long now) {
        boolean grown = readySince.isPresent() && now - readySince.getAsLong() >= nanos(Limits.YOUNG);
        int count = grown ? 1 : start.count() + 1;
        List<Effect> effects = new ArrayList<>();
        effects.add(new Effect.Count(count));
        // Written also where it may still stand: a host may have taken it away and died before we heard that it was
        // ready.
        if (start.attempted() && !grown) {
            effects.add(new Effect.Attempted());
        }
        String sentence = what + " (" + count + " consecutive)";
        State counted = new State(state.life(), count, 0);
        if (limits.once()) {
            effects.add(new Effect.Failed(sentence));
            return new Turn(
                    counted.with(new Life.Over(status == 0 ? 1 : status, Optional.empty())), List.copyOf(effects));
        }
        effects.add(new Effect.Failed(sentence + "; restarting in " + words(limits.backOff())));
        return again(counted, now, effects.toArray(Effect[]::new));
    }

    /** After the back-off, or at once where there is none: the successor must not wait for a timer. */
    private Turn again(State state, long now, Effect... effects) {
        List<Effect> all = new ArrayList<>(List.of(effects));
        if (limits.backOff().isZero()) {
            // After what the choice depends on; words wait until the successor runs, wherever they stand.
            all.add(new Effect.Choose());
            return new Turn(state.with(new Life.Deciding()), List.copyOf(all));
        }
        return new Turn(state.with(new Life.Waiting(now + nanos(limits.backOff()))), List.copyOf(all));
    }

    private static Turn over(State state, int status) {
        return Turn.of(state.with(new Life.Over(status, Optional.empty())));
    }

    private static long nanos(Duration duration) {
        return duration.toNanos();
    }

    static String words(Duration time) {
        return time.toMillis() % 1000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
    }
}
