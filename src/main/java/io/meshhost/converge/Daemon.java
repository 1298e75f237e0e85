package io.meshhost.converge;

import io.meshhost.apply.Options;
import io.meshhost.apply.Outcome;
import io.meshhost.record.HistoryEntry;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jboss.logging.Logger;

/**
 * The host while it runs: the gate, what marks it, and the order in which all of it starts and stops.
 *
 * <p>Stopping: no new work; the work in hand finishes its current resource, {@link #STOP_WITHIN} at most (a fetch and
 * an unpack, which a next start takes up again, are left at once); then what
 * the parts hold open (children of the built-in supervisor, the record, the lock). Every step is safe to
 * repeat, since a second signal, a dev-mode reload and the end of the program may all ask for it.
 */
@ApplicationScoped
public class Daemon {
    /** Less than the 90 s that the launcher gives (SPEC 5). */
    static final Duration STOP_WITHIN = Duration.ofSeconds(75);

    /** The resource in hand may finish for so long; then what it waits for is interrupted, and ends in order. */
    private static final Duration FINISH_WITHIN = Duration.ofSeconds(60);

    /** A pass may hold run-once steps of an hour each; one that takes longer than this has hung. */
    private static final Duration PASS_WITHIN = Duration.ofHours(6);

    /** A first declaration that somebody keeps open for writing must not keep the host from being ready. */
    private static final Duration FIRST_PASS_WITHIN = Duration.ofSeconds(10);

    private static final Logger LOG = Logger.getLogger(Daemon.class);

    private final Ticks ticks;
    private final AtomicReference<Optional<Running>> running = new AtomicReference<>(Optional.empty());
    private final AtomicBoolean stopping = new AtomicBoolean();

    Daemon(Ticks ticks) {
        this.ticks = ticks;
    }

    private record Running(
            Parts parts,
            Board board,
            SingleFlight<Mark> gate,
            DeclarationWatch watch,
            Guarantee guarantee,
            ExecutorService threads) {}

    /**
     * Begins to converge. The first reconcile is marked when the declaration has been seen at rest, or is absent.
     *
     * @param standAside ends this program with 0, for another version of it
     */
    public void start(Parts parts, Runnable standAside) {
        AtomicReference<Optional<DeclarationWatch>> watching = new AtomicReference<>(Optional.empty());
        AtomicReference<Runnable> passBegins = new AtomicReference<>(() -> {});
        Board board = new Board(
                parts.clock(),
                parts.identity(),
                () -> watching.get().map(DeclarationWatch::beingWritten).orElse(false));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        Reconcile reconcile = new Reconcile(
                new DeclarationSource(parts.place(), parts.reader()),
                () -> watching.get().map(DeclarationWatch::settled).orElse(""),
                parts.applier(),
                board,
                stopping::get,
                threads);
        SingleFlight<Mark> gate =
                gate(reconcile, () -> passBegins.get().run(), parts.supervised()::reconciled, threads);
        Guarantee guarantee =
                new Guarantee(parts.ticker(), parts.cadence(), () -> gate.mark(Mark.look("the clock was set back")));
        passBegins.set(guarantee::passBegins);
        DeclarationWatch watch = watch(parts, gate);
        watching.set(Optional.of(watch));
        running.set(Optional.of(new Running(parts, board, gate, watch, guarantee, threads)));
        LOG.infof(
                "mesh-host %s runs, pid %d; it keeps %s as %s says",
                parts.identity().version(),
                parts.identity().pid(),
                parts.identity().node(),
                parts.identity().declaration());
        parts.beforeFirst().run();
        parts.supervised().begin(board::signs, gate::running, standAside);
        watch.start();
        parts.ticker().after(FIRST_PASS_WITHIN, () -> {
            if (gate.generation() == 0) {
                gate.mark(Mark.change("start").asked());
            }
        });
        String every = "every " + Sentences.interval(parts.cadence());
        ticks.start(parts.cadence(), parts.jitter(), parts.ticker(), () -> gate.mark(Mark.look(every)));
    }

    private static SingleFlight<Mark> gate(
            Reconcile reconcile, Runnable passBegins, Runnable reconciled, ExecutorService threads) {
        Slack slack = Slack.ofThisProcess();
        return new SingleFlight<>(
                marks -> {
                    passBegins.run();
                    return reconcile.apply(marks).invoke(reconciled).invoke(slack::giveBack);
                },
                failure -> LOG.error("a reconcile did not end: " + failure.getMessage()),
                PASS_WITHIN,
                threads);
    }

    private static DeclarationWatch watch(Parts parts, SingleFlight<Mark> gate) {
        AtomicBoolean first = new AtomicBoolean(true);
        try {
            return new DeclarationWatch(
                    parts.place(),
                    parts.writers(),
                    parts.ticker(),
                    () -> gate.mark(
                            first.getAndSet(false)
                                    ? Mark.change("start").asked()
                                    : Mark.change("declaration changed")));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot watch the declaration", e);
        }
    }

    /** Marks the gate for somebody who asked for it; what changes then is drift. */
    public void reconcile(String why) {
        running.get().ifPresent(now -> now.gate().mark(Mark.look(why).asked()));
    }

    /** Applies the declaration and waits for the end of it. */
    public Ended apply(Options options) {
        CompletableFuture<Ended> waiter = new CompletableFuture<>();
        long generation = running.get()
                .map(now -> now.gate().mark(new Mark("apply", true, options, Optional.of(waiter))))
                .orElse(-1L);
        if (generation < 0) {
            return new Ended.Failed("cannot apply: the host is stopping; try again when it runs");
        }
        return waiter.join();
    }

    public Optional<HostStatus> status() {
        return running.get().map(now -> now.board().status());
    }

    /** The outcomes of the last reconcile, one a resource. */
    public List<Outcome> resources() {
        return running.get().map(now -> now.board().resources()).orElse(List.of());
    }

    /** Newest first; only entries that speak of the id, where one is given. */
    public List<HistoryEntry> history(Optional<String> id, int limit) {
        return running.get().map(now -> now.parts().history().read(id, limit)).orElse(List.of());
    }

    /** Whether the first reconcile has been completed. */
    public boolean ready() {
        return running.get().map(now -> now.board().reconciles() > 0).orElse(false);
    }

    /** Whether everything that should run does. */
    public boolean started() {
        return running.get().isPresent();
    }

    /** See the class: in order, bounded, repeatable. */
    public void stop() {
        if (stopping.getAndSet(true)) {
            return;
        }
        running.get().ifPresent(this::stop);
    }

    private void stop(Running now) {
        LOG.info("mesh-host is stopping" + now.board().waiting());
        now.board().stopping();
        ticks.stop();
        now.parts().supervised().close();
        now.guarantee().close();
        now.watch().close();
        now.gate().close();
        now.threads().shutdown();
        if (!ended(now.threads(), FINISH_WITHIN)) {
            now.threads().shutdownNow();
        }
        if (!ended(now.threads(), STOP_WITHIN.minus(FINISH_WITHIN))) {
            LOG.warn("the work in hand did not end within " + STOP_WITHIN.toSeconds()
                    + " s; it is left, and finished or undone at the next start");
        }
        now.parts().close();
    }

    private static boolean ended(ExecutorService threads, Duration within) {
        try {
            return threads.awaitTermination(within.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
