package io.meshhost.launch;

import java.util.List;

/** What becomes of a state, and what is to be done, in order. */
record Turn(State next, List<Effect> effects) {
    static Turn of(State next, Effect... effects) {
        return new Turn(next, List.of(effects));
    }
}
