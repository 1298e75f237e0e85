package io.meshhost.machine.services;

import io.meshhost.machine.Ticker;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Ends what is left of one run: TERM to each process once, KILL to all when the time is over, until nothing is
 * left or even KILL has had its time. One object an ending; it looks again and again because a process may
 * fork while it is being ended.
 */
final class TreeEnd {
    private static final Duration FIRST_LOOK = Duration.ofMillis(10);
    private static final Duration LOOK = Duration.ofMillis(200);
    /** How long KILL may take: a process in an uninterruptible wait is left to the kernel after that. */
    private static final Duration KILL_TIME = Duration.ofSeconds(5);

    private final ProcessTable table;
    private final Ticker ticker;
    private final Executor worker;
    private final Run run;
    private final long began;
    private final AtomicBoolean forced = new AtomicBoolean();
    private final Set<ProcessTable.Entry> asked = new HashSet<>();
    private final CompletableFuture<Boolean> over = new CompletableFuture<>();
    private final Supplier<Duration> patience;
    private Duration pause = FIRST_LOOK;

    /**
     * @param main 0 where it is not known
     * @param exited done once the exit of the main process has been told; null for a process that is no child
     */
    record Run(
            int main, long started, String mark, @Nullable CompletableFuture<?> exited) {}

    /**
     * @param patience what TERM has, counted from the start; asked at each look, so that it can be cut short
     */
    TreeEnd(ProcessTable table, Ticker ticker, Executor worker, Run run, Supplier<Duration> patience) {
        this.table = table;
        this.ticker = ticker;
        this.worker = worker;
        this.run = run;
        this.patience = patience;
        this.began = ticker.nanos();
    }

    /** Begins, on the worker; the future says whether KILL was needed. */
    CompletableFuture<Boolean> start() {
        worker.execute(this::look);
        return over;
    }

    /** One look at a time: each arms the next only when it is through, so the fields need no lock. */
    private void look() {
        Optional<List<ProcessTable.Entry>> seen = seen();
        CompletableFuture<?> exited = run.exited();
        if (seen.filter(List::isEmpty).isPresent() && (exited == null || exited.isDone())) {
            over.complete(forced.get());
            return;
        }
        Duration spent = Duration.ofNanos(ticker.nanos() - began);
        Duration limit = patience.get();
        if (spent.compareTo(limit.plus(KILL_TIME)) > 0) {
            over.complete(true);
            return;
        }
        end(seen.orElseGet(this::mainOnly), spent.compareTo(limit) >= 0);
    }

    /** Empty where they could not be listed: then nobody knows that nothing is left, and the next look may. */
    private Optional<List<ProcessTable.Entry>> seen() {
        try {
            return Optional.of(table.tree(run.main(), run.started(), run.mark()));
        } catch (RuntimeException unseen) {
            return Optional.empty();
        }
    }

    /** The one that needs no listing. */
    private List<ProcessTable.Entry> mainOnly() {
        return table.entry(run.main())
                .filter(entry -> !entry.dead() && entry.started() == run.started())
                .map(List::of)
                .orElse(List.of());
    }

    private void end(List<ProcessTable.Entry> left, boolean kill) {
        if (kill && !left.isEmpty()) {
            forced.set(true);
        }
        for (ProcessTable.Entry entry : left) {
            if (kill || asked.add(entry)) {
                table.signal(entry, kill);
            }
        }
        Duration next = kill ? FIRST_LOOK : pause;
        pause = pause.multipliedBy(2).compareTo(LOOK) < 0 ? pause.multipliedBy(2) : LOOK;
        ticker.after(next, () -> worker.execute(this::look));
    }
}
