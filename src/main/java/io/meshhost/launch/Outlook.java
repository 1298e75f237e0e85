package io.meshhost.launch;

import java.util.Optional;

/** The supervisor's state in words: what is, and what will be. Pure. */
record Outlook(Choosing choosing, Limits limits) {

    static String word(Life life) {
        return switch (life) {
            case Life.Deciding _, Life.Starting _ -> "starting";
            case Life.Restoring _ -> "rolling back";
            case Life.Ready _ -> "running";
            case Life.Ending ending -> ending.stopping() ? "stopping" : "ending a host that hangs";
            case Life.Waiting _ -> "waiting";
            case Life.Over _ -> "stopped";
        };
    }

    static Optional<String> why(Life life) {
        return switch (life) {
            case Life.Starting starting -> Optional.of(starting.start().why());
            case Life.Ready ready -> Optional.of(ready.start().why());
            case Life.Ending ending -> ending.start().map(Life.Start::why);
            case Life.Deciding _, Life.Restoring _, Life.Waiting _, Life.Over _ -> Optional.empty();
        };
    }

    /** What happens at the next attempt, and when that fails too. */
    String then(Scene scene) {
        return switch (choosing.choose(scene)) {
            case Choice.Run run -> {
                int left = limits.starts() - run.count();
                yield "starts " + run.host().words() + "; after " + left + (left == 1 ? " failure" : " failures")
                        + " more " + atTheLimit(run, scene);
            }
            case Choice.GoBack back -> "goes back to " + back.to().words();
            case Choice.Script _ -> "runs the rollback program";
            case Choice.Halt halt -> "halts: " + halt.reason();
        };
    }

    private String atTheLimit(Choice.Run next, Scene scene) {
        Scene then = scene.rejecting(next.instead().flatMap(Choice.Instead::rejects))
                .withFailing(next.host())
                .withCount(limits.starts());
        return switch (choosing.choose(then)) {
            case Choice.GoBack back -> "it goes back to " + back.to().words();
            case Choice.Script _ -> "it runs the rollback program";
            case Choice.Halt halt -> "it halts: " + halt.reason();
            case Choice.Run run -> "it starts " + run.host().words();
        };
    }

    /** One line for systemctl status. */
    static String sentence(SupervisorStatus status) {
        String host = status.host() == null ? "no host" : status.host();
        return switch (status.state()) {
            case "halted" -> "halted: " + status.reason() + "; nox-mesh-host resume starts it again";
            case "running" -> host + " runs, pid " + status.child();
            case "waiting" ->
                host + " failed " + status.failures() + " times in a row; next at " + status.next() + ", "
                        + status.then();
            default -> status.state() + ": " + host;
        };
    }
}
