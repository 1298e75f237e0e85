package io.meshhost.converge;

import io.meshhost.declaration.Reading;
import io.meshhost.machine.Ticker;
import io.meshhost.record.HistoryEntry;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * What the daemon is put together from.
 *
 * @param reader reads a declaration; may throw an ExpectedFailure
 * @param writers whether somebody has the file open for writing
 * @param beforeFirst run once before the first reconcile: the built-in supervisor starts its children
 * @param supervised how the supervisor is spoken to
 * @param jitter numbers from 0 to 1
 * @param atEnd run once at the end, last of all: children end, the record and the lock are let go
 */
public record Parts(
        Board.Identity identity,
        DeclarationPlace place,
        Function<Path, Reading> reader,
        Applier applier,
        History history,
        Predicate<Path> writers,
        Ticker ticker,
        Clock clock,
        Duration cadence,
        Supervised supervised,
        DoubleSupplier jitter,
        Runnable beforeFirst,
        Runnable atEnd) {

    /** Reads the history. */
    @FunctionalInterface
    public interface History {
        List<HistoryEntry> read(Optional<String> id, int limit);
    }

    void close() {
        atEnd.run();
    }
}
