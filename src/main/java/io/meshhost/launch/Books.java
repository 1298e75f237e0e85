package io.meshhost.launch;

import io.meshhost.machine.LockFile;
import io.meshhost.machine.LockFile.Held;
import io.meshhost.machine.Looks;
import io.meshhost.machine.MachineFailure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What is written about versions. Supervisor, host and operator write by turns, under one lock; the shell launcher knows no
 * lock, and every file is whole at any moment for its sake.
 */
final class Books {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int KNOWN_GOOD = 3;

    private final Ledger ledger;
    private final StateDir state;
    private final LockFile lock;

    Books(Ledger ledger, LockFile lock) {
        this.ledger = ledger;
        this.state = ledger.state();
        this.lock = lock;
    }

    /**
     * Alone among those who know the lock.
     *
     * @throws MachineFailure when it cannot be had
     */
    @SuppressWarnings("try")
    <T> T alone(Supplier<T> work) {
        Path file = state.path("versions.lock");
        try (Held held = lock.hold(file, PATIENCE)
                .orElseThrow(() -> new MachineFailure("cannot change what is known of versions: another program holds "
                        + file + "; try again when it is done"))) {
            return work.get();
        }
    }

    /**
     * What a rollback leaves. In this order, a power cut in the middle only ever gives the machine more attempts: the count
     * is fresh before anything is rejected, so nobody who comes next, the shell launcher neither, takes the failures for
     * another version's; and the mark that makes the next failure final comes last.
     */
    void goBack(Choice.GoBack back) {
        giveUp(back);
        state.write(StateDir.ATTEMPTED, "");
    }

    /** As {@link #goBack}; the next failures may go back further. */
    void giveUp(Choice.GoBack back) {
        state.write(StateDir.ATTEMPTS, "0\n");
        mark(back);
    }

    /** What is rejected, and the pin. */
    void mark(Choice.GoBack back) {
        back.rejects().ifPresent(this::reject);
        back.pin().ifPresentOrElse(this::pin, this::unpin);
    }

    /** Remembers the bytes of a version as bad. */
    void reject(String name) {
        Path tree = ledger.versions().resolve(name);
        List<Named> before = ledger.rejected(new ArrayList<>());
        Set<Named> lines = new LinkedHashSet<>(before);
        for (String digest : ledger.bytes().all(tree, name)) {
            lines.add(new Named(List.of(digest), name));
        }
        if (!before.containsAll(lines)) {
            state.write(StateDir.REJECTED, Named.text(List.copyOf(lines)));
        }
    }

    /** Lifts what was said against the version: its name's lines, and those of the bytes that stand under it now. */
    void pardon(String name) {
        List<Named> lines = ledger.rejected(new ArrayList<>());
        if (lines.isEmpty()) {
            return;
        }
        String digest = ledger.bytes().of(ledger.versions().resolve(name), name);
        List<Named> kept = lines.stream()
                .filter(line ->
                        !line.name().equals(name) && !line.words().getFirst().equals(digest))
                .toList();
        if (kept.size() != lines.size()) {
            state.write(StateDir.REJECTED, Named.text(kept));
        }
    }

    /** Without a pin in between: a name with the other's marker would hold what nobody decided. */
    void pin(Pin pin) {
        state.remove(StateDir.PINNED);
        if (pin.byOperator()) {
            state.write(StateDir.BY_OPERATOR, "");
        } else {
            state.remove(StateDir.BY_OPERATOR);
        }
        state.write(StateDir.PINNED, pin.version() + "\n");
    }

    void unpin() {
        state.remove(StateDir.PINNED);
        state.remove(StateDir.BY_OPERATOR);
    }

    /**
     * Other bytes come under this name: what was known as good of it is gone, and the script that looks for a supervisor
     * must not take them for it.
     */
    void replaced(String name, String digest) {
        List<String> before = ledger.knownGood(new ArrayList<>());
        Path tree = ledger.versions().resolve(name);
        if (before.contains(name)
                && !(Looks.executable(tree.resolve(Choosing.BINARY))
                        && ledger.bytes().of(tree, name).equals(digest))) {
            StringBuilder kept = new StringBuilder();
            before.stream()
                    .filter(other -> !other.equals(name))
                    .forEach(other -> kept.append(other).append('\n'));
            state.write(StateDir.KNOWN_GOOD, kept.toString());
        }
    }

    /** Gives the name the next number. */
    void arrived(String name) {
        Map<String, Long> numbers = ledger.arrivals(new ArrayList<>());
        long next = numbers.values().stream().mapToLong(Long::longValue).max().orElse(0) + 1;
        numbers.put(name, next);
        List<Named> lines = numbers.entrySet().stream()
                .sorted(Map.Entry.comparingByValue())
                .map(entry -> new Named(List.of(Long.toString(entry.getValue())), entry.getKey()))
                .toList();
        state.write(StateDir.ARRIVALS, Named.text(lines));
    }

    /** The host that runs has completed its first reconcile. */
    void completed(Optional<String> running) {
        running.ifPresent(this::knownGood);
        state.remove(StateDir.ATTEMPTS);
        state.remove(StateDir.ATTEMPTED);
    }

    private void knownGood(String name) {
        List<String> before = ledger.knownGood(new ArrayList<>());
        List<String> now = new ArrayList<>(List.of(name));
        before.stream().filter(old -> !old.equals(name)).forEach(now::add);
        List<String> kept = now.subList(0, Math.min(now.size(), KNOWN_GOOD));
        // Rewritten though nothing changed: for a launcher that knows no socket this is what "ready" looks like.
        state.write(StateDir.KNOWN_GOOD, String.join("\n", kept) + "\n");
    }
}
