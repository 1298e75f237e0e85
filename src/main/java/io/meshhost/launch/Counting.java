package io.meshhost.launch;

import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.Stat;
import java.util.ArrayList;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * The counter on disk and the one in memory: a disk that does not take it must not change what happens. It also sees by the
 * files that an older host, which knows no socket, has completed a reconcile.
 */
final class Counting {
    private final StateDir state;
    private final Consumer<String> trouble;
    /** What the file does not say, or not yet. */
    private OptionalInt owed = OptionalInt.empty();

    private int believed;
    private Optional<Stat> knownGood = Optional.empty();

    Counting(StateDir state, Consumer<String> trouble) {
        this.state = state;
        this.trouble = trouble;
    }

    void owes(int count) {
        owed = OptionalInt.of(count);
    }

    void wrote(int count) {
        owed = OptionalInt.empty();
        believed = count;
    }

    void write(int count) {
        try {
            state.write(StateDir.ATTEMPTS, count + "\n");
            if (owed.isPresent() && owed.getAsInt() == count) {
                wrote(count);
            }
        } catch (MachineFailure failure) {
            trouble.accept("the count of failures is kept in memory only: " + failure.sentence());
        }
    }

    Scene correct(Scene scene) {
        if (owed.isPresent()) {
            return scene.withCount(owed.getAsInt());
        }
        believed = scene.count();
        return scene;
    }

    /** From now on a change of the files is the new host's. */
    void starting() {
        knownGood = signature();
    }

    /** Whether the host has cleared the counter, or has entered itself as well. */
    boolean readyByFiles() {
        Optional<Stat> now = signature();
        if (now.isPresent() && !now.equals(knownGood)) {
            return true;
        }
        return owed.isEmpty() && believed > 0 && cleared();
    }

    private boolean cleared() {
        Counter counter = Counter.parse(state.text(StateDir.ATTEMPTS, new ArrayList<>()));
        return counter.count() == 0 && counter.complaint().isEmpty();
    }

    private Optional<Stat> signature() {
        try {
            return state.stat(StateDir.KNOWN_GOOD);
        } catch (MachineFailure failure) {
            return Optional.empty();
        }
    }
}
