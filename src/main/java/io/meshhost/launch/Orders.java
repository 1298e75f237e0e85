package io.meshhost.launch;

import java.util.ArrayList;
import java.util.List;

/** What is done for a choice, in order: the host first, words and files when it runs. */
final class Orders {
    private Orders() {}

    static List<Effect> toRun(Choice.Run run) {
        List<Effect> effects = new ArrayList<>();
        effects.add(new Effect.Start(run.host()));
        run.notes().forEach(note -> effects.add(new Effect.Say(note)));
        effects.add(new Effect.Say("running " + run.host().program()));
        if (run.pinEnded()) {
            effects.add(new Effect.Unpin());
        }
        run.instead().ifPresent(instead -> effects.addAll(toCountAnew(run.host(), instead)));
        return List.copyOf(effects);
    }

    private static List<Effect> toCountAnew(Host host, Choice.Instead instead) {
        List<Effect> effects = new ArrayList<>();
        effects.add(new Effect.Count(0));
        effects.add(new Effect.Say(host.words() + " is counted from 0: what failed (" + instead.failures()
                + " consecutive) was " + instead.failed()));
        instead.rejects().ifPresent(name -> effects.add(new Effect.Reject(name)));
        return effects;
    }
}
