package io.meshhost.launch;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** States and events for tests, by the names that the table of the life cycle gives them. */
final class Lives {
    static final Limits LIMITS =
            new Limits(3, Duration.ofSeconds(5), Duration.ofSeconds(300), Duration.ofSeconds(90), false);
    static final Host B = new Host.Delivered("b", Path.of("/versions/b/nox-mesh-host"));
    static final Host A = new Host.Delivered("a", Path.of("/versions/a/nox-mesh-host"));

    /** When the host of every state was started; it has failed once before. */
    static final long START = seconds(1000);

    /** When every event of the table comes. */
    static final long NOW = seconds(1100);

    private Lives() {}

    static long seconds(long seconds) {
        return Duration.ofSeconds(seconds).toNanos();
    }

    static Life.Start start() {
        return new Life.Start(B, "it arrived last", START, 1, false);
    }

    static Life.Start afterRollback() {
        return new Life.Start(B, "pinned by a rollback", START, 1, true);
    }

    static Life.Ending ending(Life.Start start, boolean stopping, Notice... passed) {
        return new Life.Ending(
                Optional.of(start),
                OptionalLong.empty(),
                stopping,
                OptionalLong.of(seconds(1150)),
                EnumSet.copyOf(List.of(passed)));
    }

    static Map<String, Life> lives() {
        Map<String, Life> lives = new LinkedHashMap<>();
        lives.put("deciding", new Life.Deciding());
        lives.put("restoring", new Life.Restoring());
        lives.put("starting", new Life.Starting(start(), START, Life.HangUp.DEAF));
        lives.put("starting-owed", new Life.Starting(start(), START, Life.HangUp.OWED));
        lives.put("starting-heard", new Life.Starting(start(), START, Life.HangUp.HEARS));
        lives.put("ready-young", new Life.Ready(start(), NOW - seconds(59), OptionalLong.of(NOW - seconds(1))));
        lives.put("ready-grown", new Life.Ready(start(), NOW - seconds(60), OptionalLong.of(NOW - seconds(1))));
        lives.put("ready-silent", new Life.Ready(start(), NOW - seconds(60), OptionalLong.empty()));
        lives.put("told-to-stop", ending(start(), true, Notice.TERM));
        lives.put("hangs", ending(start(), false, Notice.TERM));
        lives.put(
                "script-told-to-stop",
                new Life.Ending(
                        Optional.empty(),
                        OptionalLong.empty(),
                        true,
                        OptionalLong.of(seconds(1150)),
                        EnumSet.of(Notice.TERM)));
        lives.put("waiting", new Life.Waiting(NOW));
        lives.put("over", new Life.Over(0, Optional.empty()));
        return lives;
    }

    static Map<String, Event> events() {
        Map<String, Event> events = new LinkedHashMap<>();
        events.put(
                "run",
                new Event.Chosen(
                        new Choice.Run(B, "it arrived last", 2, false, false, Optional.empty(), List.of("a note"))));
        events.put(
                "run-unpinned",
                new Event.Chosen(new Choice.Run(B, "it arrived last", 0, true, true, Optional.empty(), List.of())));
        Choice.Instead instead = new Choice.Instead("version a", 3, Optional.of("a"));
        events.put(
                "run-instead",
                new Event.Chosen(
                        new Choice.Run(B, "it arrived last", 0, false, false, Optional.of(instead), List.of())));
        events.put("script", new Event.Chosen(new Choice.Script(3)));
        events.put("go-back", new Event.Chosen(new Choice.GoBack(Optional.of("b"), A, 3)));
        events.put("halt", new Event.Chosen(new Choice.Halt("no host binary", false)));
        events.put("halted", new Event.Chosen(new Choice.Halt("", true)));
        events.put("not-started", new Event.NotStarted("cannot start it"));
        events.put("exit-0", new Event.Exited(0));
        events.put("exit-7", new Event.Exited(7));
        events.put("exit-143", new Event.Exited(143));
        events.put("ready", new Event.Ready(true));
        events.put("ready-by-files", new Event.Ready(false));
        events.put("alive", new Event.Alive());
        events.put("TERM", new Event.Told(Notice.TERM));
        events.put("INT", new Event.Told(Notice.INT));
        events.put("HUP", new Event.Told(Notice.HUP));
        events.put("due", new Event.Due());
        return events;
    }

    /** What became of it, in few words: the next life, the count, the clean exits in a row, and the effects in order. */
    static String words(Turn turn) {
        StringBuilder text = new StringBuilder(words(turn.next().life()))
                .append(" count=")
                .append(turn.next().count());
        if (turn.next().spins() > 0) {
            text.append(" spins=").append(turn.next().spins());
        }
        turn.effects().forEach(effect -> text.append("; ").append(words(effect)));
        return text.toString();
    }

    private static String words(Life life) {
        return switch (life) {
            case Life.Deciding _ -> "Deciding";
            case Life.Restoring _ -> "Restoring";
            case Life.Starting starting -> "Starting(" + since(starting.sign()) + " " + starting.hangUp() + ")";
            case Life.Ready ready ->
                "Ready(since " + since(ready.since()) + ", "
                        + (ready.sign().isPresent()
                                ? "sign " + since(ready.sign().getAsLong())
                                : "no sign") + ")";
            case Life.Ending ending ->
                "Ending(" + (ending.stopping() ? "stop" : "hung") + " "
                        + (ending.limit().isPresent()
                                ? "kill " + since(ending.limit().getAsLong())
                                : "killed")
                        + " " + ending.passed() + ")";
            case Life.Waiting waiting -> "Waiting(" + since(waiting.until()) + ")";
            case Life.Over over ->
                "Over(" + over.status()
                        + over.halted().map(why -> " halted '" + why + "'").orElse("") + ")";
        };
    }

    private static String since(long at) {
        return (at >= NOW ? "+" : "") + Duration.ofNanos(at - NOW).toSeconds();
    }

    private static String words(Effect effect) {
        return switch (effect) {
            case Effect.Choose _ -> "choose";
            case Effect.Start(Host host) -> "start " + host.words();
            case Effect.RunScript _ -> "run script";
            case Effect.Send(Notice notice) -> "send " + notice;
            case Effect.Kill _ -> "kill";
            case Effect.Count(int count) -> "write " + count;
            case Effect.Attempted _ -> "mark attempted";
            case Effect.CameUp _ -> "came up";
            case Effect.Unpin _ -> "unpin";
            case Effect.Reject(String version) -> "reject " + version;
            case Effect.GoBack(Choice.GoBack back) -> "go back to " + back.to().words();
            case Effect.Halt(String reason) -> "halt '" + reason + "'";
            case Effect.Say(String sentence) -> "say '" + sentence + "'";
            case Effect.Failed(String sentence) -> "failed '" + sentence + "'";
        };
    }
}
