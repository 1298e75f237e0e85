package io.meshhost.launch;

import io.meshhost.machine.LockFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What a rollback leaves, on disk and, as long as the disk does not take it, in memory. */
final class GoingBack {
    static final String IN_MEMORY = "a rollback is remembered in memory only";

    private final Ledger ledger;
    private final StateDir state;
    private final Books books;
    private final Counting counting;
    private final Reports reports;
    /** A rollback whose marks no disk has taken yet. */
    private Optional<Choice.GoBack> unwritten = Optional.empty();

    /** Versions that are rejected, by their arrival, and that no disk has taken yet. */
    private final Map<String, Optional<Long>> unrejected = new LinkedHashMap<>();

    GoingBack(Ledger ledger, LockFile lock, Counting counting, Reports reports) {
        this.ledger = ledger;
        this.state = ledger.state();
        this.books = new Books(ledger, lock);
        this.counting = counting;
        this.reports = reports;
    }

    void write(Choice.GoBack back) {
        counting.owes(0);
        counting.owesMark();
        boolean written = reports.guarded(IN_MEMORY, () -> alone(() -> books.goBack(back)));
        unwritten = written ? Optional.empty() : Optional.of(back);
    }

    /** Whether the files do not say all of it. */
    boolean owing() {
        return unwritten.isPresent() || !unrejected.isEmpty();
    }

    /** What the files do not say is rejected, though it is; in the words of {@link Host#words}. */
    Optional<String> givenUp() {
        return unwritten.flatMap(Choice.GoBack::rejects).map(name -> "version " + name);
    }

    /** A version that has had all of its attempts, and that something newer has followed. */
    void reject(String version) {
        unrejected.put(version, arrival(version, ledger.arrivals(new ArrayList<>())));
        writeRejected();
    }

    private void writeRejected() {
        unrejected
                .keySet()
                .removeIf(version -> reports.guarded(
                        "a version that failed is rejected in memory only", () -> alone(() -> books.reject(version))));
    }

    private static Optional<Long> arrival(String version, Map<String, Long> arrivals) {
        return Optional.ofNullable(arrivals.get(version));
    }

    /** A rollback's pin has ended; one that an operator has made meanwhile stays. */
    void unpin() {
        reports.guarded(
                "a pin that has ended stays in its file",
                () -> alone(() -> {
                    if (!state.seen(StateDir.BY_OPERATOR)) {
                        books.unpin();
                    }
                }));
    }

    /** What the files would say if the disk had taken it all; tried once more, for it may have become well. */
    Scene correct(Scene scene) {
        if (unrejected.isEmpty()) {
            return corrected(scene);
        }
        // Other bytes under the name have failed nothing.
        unrejected.entrySet().removeIf(one -> !one.getValue().equals(arrival(one.getKey(), scene.arrivals())));
        Scene known = scene;
        for (String version : unrejected.keySet()) {
            known = known.rejecting(Optional.of(version));
        }
        writeRejected();
        return corrected(known);
    }

    private Scene corrected(Scene scene) {
        if (unwritten.isEmpty()) {
            return scene;
        }
        Choice.GoBack back = unwritten.get();
        if (scene.pin().filter(Pin::byOperator).isPresent()) {
            // A person has decided since, on a disk that takes it.
            unwritten = Optional.empty();
        } else if (reports.guarded(IN_MEMORY, () -> alone(() -> marks(back)))) {
            unwritten = Optional.empty();
            return scene.after(back);
        }
        return unwritten.map(scene::after).orElse(scene);
    }

    /** What {@link Books#goBack} writes but for the count, which may have grown since. */
    private void marks(Choice.GoBack back) {
        books.mark(back);
        if (counting.owingMark()) {
            state.write(StateDir.ATTEMPTED, "");
        }
    }

    private void alone(Runnable work) {
        books.alone(() -> {
            work.run();
            return state;
        });
    }
}
