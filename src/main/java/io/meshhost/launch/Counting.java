package io.meshhost.launch;

import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.Stat;
import java.util.ArrayList;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The counter and the mark of a rollback, on disk and in memory: a disk that does not take them must not change what
 * happens. It also sees by the files that an older host, which knows no socket, has completed a reconcile.
 */
final class Counting {
    private final StateDir state;
    /** What the file does not say, or not yet. */
    private OptionalInt owed = OptionalInt.empty();

    private Optional<Boolean> owedMark = Optional.empty();
    private int believed;
    /** Whether there is a counter that the host can take away; a fresh one says 0. */
    private boolean there;

    private Optional<Stat> knownGood = Optional.empty();

    Counting(StateDir state) {
        this.state = state;
    }

    /** What was counted before this supervisor began. */
    int before() {
        return onDisk().count();
    }

    void owes(int count) {
        owed = OptionalInt.of(count);
    }

    void owesMark() {
        owedMark = Optional.of(true);
    }

    /**
     * A host is well. It has cleared the files; where it could not, they are wrong from now on.
     */
    void cameUp() {
        owed = onDisk().count() == 0 ? OptionalInt.empty() : OptionalInt.of(0);
        owedMark = state.seen(StateDir.ATTEMPTED) ? Optional.of(false) : Optional.empty();
        believed = 0;
    }

    /** @throws MachineFailure when the disk does not take it */
    void write(int count) {
        state.write(StateDir.ATTEMPTS, count + "\n");
        there = true;
        if (owed.isPresent() && owed.getAsInt() == count) {
            owed = OptionalInt.empty();
            believed = count;
        }
    }

    Scene correct(Scene scene) {
        if (owed.isPresent() && owed.getAsInt() == scene.count()) {
            owed = OptionalInt.empty();
        }
        if (owedMark.filter(mark -> mark == scene.attempted()).isPresent()) {
            owedMark = Optional.empty();
        }
        believed = owed.orElse(scene.count());
        return scene.withCount(believed).withAttempted(owedMark.orElse(scene.attempted()));
    }

    /** Whether the file says something else than what counts. */
    boolean owing() {
        return owed.isPresent();
    }

    /** Whether the mark of a rollback is still to be written. */
    boolean owingMark() {
        return owedMark.orElse(false);
    }

    /**
     * From now on a change of the files is the new host's.
     *
     * @param mark the files as they stand
     */
    void starting(StateDir.Mark mark) {
        knownGood = mark.knownGood();
        there = mark.counter();
    }

    /** Whether the host has cleared the counter, or has entered itself as well. */
    boolean readyByFiles() {
        Optional<Stat> now = state.sight(StateDir.KNOWN_GOOD);
        if (now.isPresent() && !now.equals(knownGood)) {
            return true;
        }
        return owed.isEmpty() && (believed > 0 ? cleared() : there && gone());
    }

    private boolean cleared() {
        Counter counter = onDisk();
        return counter.count() == 0 && counter.complaint().isEmpty();
    }

    private boolean gone() {
        try {
            return !state.there(StateDir.ATTEMPTS);
        } catch (MachineFailure failure) {
            return false;
        }
    }

    private Counter onDisk() {
        return Counter.parse(state.text(StateDir.ATTEMPTS, new ArrayList<>()));
    }
}
