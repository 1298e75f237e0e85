package io.meshhost.apply;

import io.meshhost.machine.ExpectedFailure;
import io.meshhost.record.Applied;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/** The second half of each change: everything is on disk, then its row says so, in one transaction a batch. */
final class Closing {
    /** Two ticks of the slowest kernel clock and some: a write after this has another ctime (time(7)). */
    private static final Duration CLOCK_STEP = Duration.ofMillis(60);

    private final Work work;
    private final Restarts restarts;
    private final List<Turn> placed = new ArrayList<>();

    Closing(Work work, Restarts restarts) {
        this.work = work;
        this.restarts = restarts;
    }

    /** What is told of each: failed where it could not be made durable. */
    List<Turn> finish(List<Turn> turns) {
        List<Applied> rows = new ArrayList<>();
        List<String> forgotten = new ArrayList<>();
        Set<String> changed = new HashSet<>();
        Set<String> inPlace = new HashSet<>();
        for (Turn turn : turns) {
            turn.row().ifPresent(rows::add);
            turn.forget().ifPresent(forgotten::add);
            if (turn.inPlace()) {
                inPlace.add(turn.item().id());
                if (turn.item().change().action().changes()) {
                    changed.add(turn.item().id());
                }
            }
        }
        try {
            if (!rows.isEmpty() || !forgotten.isEmpty()) {
                work.files().sync();
                Map<String, Set<String>> owed = restarts.causedBy(changed);
                work.record().finish(rows, forgotten, owed, restarts.paidBy(inPlace));
            }
        } catch (ExpectedFailure failure) {
            return turns.stream()
                    .map(turn -> turn.unrecorded(failure.sentence()))
                    .toList();
        }
        turns.stream().filter(Turn::inPlace).forEach(placed::add);
        return turns;
    }

    /** Who of these owes a restart: they had nothing to do, and a stopped unit has no restart to catch up on. */
    Set<String> debts(Set<String> idle) {
        return restarts.paidBy(idle);
    }

    void forgive(Set<String> debts) {
        if (!debts.isEmpty()) {
            work.record().finish(List.of(), List.of(), Map.of(), debts);
        }
    }

    /** Ids of what {@link #settle} looks at. */
    Set<String> unsettled() {
        return open().stream().map(turn -> turn.item().id()).collect(Collectors.toSet());
    }

    private List<Turn> open() {
        return placed.stream().filter(turn -> turn.item().kind().batched()).toList();
    }

    /**
     * Signatures taken within a clock step of the write cannot be trusted, and every later apply would have
     * to read those files whole. So the apply that wrote them ends a moment later, once, and looks again.
     *
     * @param fault told of each that cannot be looked at for a fault in the host, by its id
     */
    void settle(BiConsumer<String, RuntimeException> fault) {
        List<Turn> open = open();
        if (open.isEmpty()) {
            return;
        }
        CountDownLatch stepped = new CountDownLatch(1);
        work.ticker().after(CLOCK_STEP, stepped::countDown);
        try {
            // The bound is for a ticker that a test holds still.
            if (stepped.await(CLOCK_STEP.toMillis() * 4, TimeUnit.MILLISECONDS)) {
                settled(open, fault);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void settled(List<Turn> open, BiConsumer<String, RuntimeException> fault) {
        List<Applied> rows = new ArrayList<>();
        try {
            for (Turn turn : open) {
                settled(turn, rows, fault);
            }
            if (!rows.isEmpty()) {
                work.record().finish(rows, List.of(), Map.of(), Set.of());
            }
        } catch (ExpectedFailure later) {
            // Nothing is lost but time: the next apply looks closely at these files.
            rows.clear();
        }
    }

    private void settled(Turn turn, List<Applied> rows, BiConsumer<String, RuntimeException> fault) {
        if (turn.item() instanceof Item.Declared declared && turn.row().isPresent()) {
            Applied row = turn.row().get();
            try {
                declared.subject()
                        .settle(row, work)
                        .ifPresent(signature -> rows.add(row.applied(row.want(), signature, row.notes())));
            } catch (ExpectedFailure later) {
                throw later;
            } catch (RuntimeException bug) {
                fault.accept(turn.item().id(), bug);
            }
        }
    }
}
