package io.meshhost.launch;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What can wait until the successor runs: the counter, marks, words. */
final class Later {
    /** What it means when the counter cannot be written. */
    static final String COUNTING = "failures are counted in memory only";

    private final List<Effect> effects = new ArrayList<>();
    private final Consumer<String> say;
    private final Reports reports;
    private final Counting counting;
    private final StateDir state;
    private final GoingBack goingBack;

    Later(Consumer<String> say, Reports reports, Counting counting, StateDir state, GoingBack goingBack) {
        this.say = say;
        this.reports = reports;
        this.counting = counting;
        this.state = state;
        this.goingBack = goingBack;
    }

    void add(Effect effect) {
        effects.add(effect);
    }

    void carryOut() {
        effects.forEach(this::carryOut);
        effects.clear();
    }

    private void carryOut(Effect effect) {
        switch (effect) {
            case Effect.Say(String sentence) -> say.accept(sentence);
            case Effect.Failed(String sentence) -> reports.failed(sentence);
            case Effect.Count(int count) -> reports.guarded(COUNTING, () -> counting.write(count));
            case Effect.Attempted _ -> reports.guarded(GoingBack.IN_MEMORY, () -> state.write(StateDir.ATTEMPTED, ""));
            case Effect.Unpin _ -> goingBack.unpin();
            case Effect.Reject(String version) -> goingBack.reject(version);
            case Effect.Choose _, Effect.Start _, Effect.RunScript _, Effect.Send _, Effect.Kill _ -> {}
            case Effect.GoBack _, Effect.Halt _, Effect.CameUp _ -> {}
        }
    }
}
