package io.meshhost.converge;

import io.meshhost.apply.ApplyFailure;
import io.meshhost.apply.Options;
import io.meshhost.apply.Run;
import io.meshhost.machine.ExpectedFailure;
import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.Progress;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/**
 * One pass behind the gate: read the declaration if it changed, apply it, tell the board and those who wait.
 *
 * <p>It never fails because of the machine or the declaration: whatever the outcome, the pass is completed
 * when it has been told, so that a fault of configuration is not taken for a fault of this version.
 */
final class Reconcile implements Function<List<Mark>, Uni<Void>> {
    private static final Logger LOG = Logger.getLogger(Reconcile.class);

    private final DeclarationSource source;
    private final Supplier<String> settled;
    private final Applier applier;
    private final Board board;
    private final BooleanSupplier stopping;
    private final Executor virtualThreads;
    private final AtomicBoolean inHand = new AtomicBoolean();
    private Optional<DeclarationSource.Known> before = Optional.empty();

    /**
     * @param settled the signature at which the declaration last came to rest
     * @param stopping looked at between resources
     * @param virtualThreads the work blocks: it runs on a thread of these
     */
    Reconcile(
            DeclarationSource source,
            Supplier<String> settled,
            Applier applier,
            Board board,
            BooleanSupplier stopping,
            Executor virtualThreads) {
        this.source = source;
        this.settled = settled;
        this.applier = applier;
        this.board = board;
        this.stopping = stopping;
        this.virtualThreads = virtualThreads;
    }

    /** Cancelled when its time is over: then it stops at the next resource, as when the host stops. */
    @Override
    public Uni<Void> apply(List<Mark> marks) {
        AtomicBoolean late = new AtomicBoolean();
        return Uni.createFrom()
                .voidItem()
                .emitOn(virtualThreads)
                .invoke(() -> alone(marks, () -> late.get() || stopping.getAsBoolean()))
                .onCancellation()
                .invoke(() -> late.set(true));
    }

    /**
     * A pass that hangs opens the gate when its time is over, and must not be joined by another: two would
     * undo each other's work. The next ones say so until it has ended.
     */
    private void alone(List<Mark> marks, BooleanSupplier stop) {
        if (!inHand.compareAndSet(false, true)) {
            Ended.Failed hung = new Ended.Failed("cannot reconcile: an earlier reconcile hangs (" + board.doing()
                    + "); end what it waits for, or restart the host");
            board.hangs(hung);
            answer(marks, hung);
            return;
        }
        try {
            pass(marks, stop);
        } finally {
            inHand.set(false);
        }
    }

    private void pass(List<Mark> marks, BooleanSupplier stop) {
        List<String> why = marks.stream().map(Mark::why).distinct().toList();
        Optional<DeclarationSource.Known> known = before;
        Ended ended = new Ended.Failed("the reconcile ended in a fault of the program; its log has more");
        try {
            board.begins(why);
            ended = attempt(marks, why, stop);
            // A HUP may be faster than the watch: what a new declaration changes is never drift.
            board.ends(ended, marks.stream().anyMatch(Mark::expected) || !known.equals(before));
        } finally {
            // Whoever waits would wait for ever, and a fault in telling is the gate's to log.
            answer(marks, ended);
        }
    }

    private static void answer(List<Mark> marks, Ended ended) {
        marks.forEach(mark -> mark.waiter().ifPresent(waiter -> waiter.complete(ended)));
    }

    private Ended attempt(List<Mark> marks, List<String> why, BooleanSupplier stop) {
        try {
            DeclarationSource.Known known = source.look(settled.get());
            board.declaration(known);
            before = Optional.of(known);
            return switch (known) {
                case DeclarationSource.Known.Bad bad -> new Ended.Refused(bad.sentence(), bad.faults());
                case DeclarationSource.Known.Good good ->
                    new Ended.Applied(applier.apply(
                            good.declaration(),
                            insisted(marks),
                            new Run(why.stream().collect(Collectors.joining(", ")), told(stop), stop, board::outcome)));
            };
        } catch (ApplyFailure failure) {
            return failure.reason() == ApplyFailure.Reason.REFUSED
                    ? new Ended.Refused(failure.sentence(), List.of())
                    : new Ended.Failed(failure.sentence());
        } catch (ExpectedFailure failure) {
            return new Ended.Failed(failure.sentence());
        } catch (RuntimeException | Error bug) {
            // Errors too: what is missing in an executable, or memory at one moment, is no reason to stop converging.
            LOG.error("a reconcile ended in a fault of this program; the next one is tried as usual", bug);
            return new Ended.Failed("the reconcile ended in a fault of the program (" + bug + "); its log has more");
        }
    }

    /**
     * Only a fetch and an unpack tell how far they are, and both leave nothing that the next apply does not take up: so
     * they end here when the host stops, however slow their source is.
     */
    private Progress told(BooleanSupplier stop) {
        return (what, done, total) -> {
            board.at(what, done, total);
            if (stop.getAsBoolean()) {
                throw new MachineFailure("cannot finish " + what + ": the host is stopping; the next apply goes on");
            }
        };
    }

    /** What any of those who wait insists on. */
    private static Options insisted(List<Mark> marks) {
        return new Options(
                marks.stream().anyMatch(mark -> mark.options().force()),
                marks.stream().anyMatch(mark -> mark.options().rebuildRecord()),
                marks.stream().allMatch(mark -> mark.options().unasked()));
    }
}
