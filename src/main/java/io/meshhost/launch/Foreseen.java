package io.meshhost.launch;

import java.util.Optional;

/**
 * What a failure of the host that runs now leads to, decided while there is time: the same rules, asked before.
 *
 * @param scene what it was decided on; it holds as long as no file has changed
 * @param host the one to start
 */
record Foreseen(Scene scene, Host host) {
    private static final Event FAILED = new Event.Exited(1);

    /**
     * Empty where nothing is started at once: there is a back-off, or what comes is not a start.
     *
     * @param scene what the files say, when nothing else counts than they say
     * @param now by the monotonic clock, ns
     */
    static Optional<Foreseen> of(LifeCycle cycle, Choosing choosing, State state, Scene scene, long now) {
        Turn turn = cycle.turn(state, FAILED, now);
        return turn.effects().contains(new Effect.Choose())
                        && choosing.choose(scene.withCount(turn.next().count())) instanceof Choice.Run run
                ? Optional.of(new Foreseen(scene, run.host()))
                : Optional.empty();
    }
}
