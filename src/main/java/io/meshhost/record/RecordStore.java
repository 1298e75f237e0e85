package io.meshhost.record;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The record of one machine. One writer at a time, guarded by the apply lock; each method is one
 * transaction, on disk when it returns (WAL, synchronous=FULL). Reading writes nothing to the disk.
 *
 * <p>Failures are {@link RecordFailure}s: lost, damaged, full, locked.
 */
public interface RecordStore extends AutoCloseable {
    /** All rows by id, in order of position. */
    Map<String, Applied> applied();

    /** What a file held before the host came, where it was kept (1 MiB at most). */
    Optional<byte[]> contentBefore(String id);

    /** Says that changes are about to begin: rows as PENDING, and what was there before, in one transaction. */
    void begin(Collection<Beginning> rows);

    /**
     * Says that changes are done, in one transaction: rows as given, rows gone, restarts now owed and
     * restarts paid.
     */
    void finish(
            Collection<Applied> done, Collection<String> forgotten, Map<String, Set<String>> owed, Set<String> paid);

    /** Restarts owed: id of the resource to restart, and the ids of those that caused it. */
    Map<String, Set<String>> owed();

    /** The serial last applied by this machine's whole declaration. */
    OptionalLong serial();

    void serial(long serial);

    /** Whether a record that was lost is being made anew, and not all of the machine has been looked at for it yet. */
    boolean rebuilding();

    void rebuilding(boolean now);

    /** A random key of this machine (32 bytes), made at first use: secrets are known by their keyed digest only. */
    byte[] secretKey();

    /** Adds to the history and prunes it to 1,000 entries or 90 days; gives the entry's number. */
    long history(HistoryEntry entry);

    /**
     * Newest first.
     *
     * @param id full resource id: only entries that speak of it, with that line only
     */
    List<HistoryEntry> history(Optional<String> id, int limit);

    @Override
    void close();

    /**
     * @param contentBefore kept only when the row is new
     */
    record Beginning(Applied row, Optional<byte[]> contentBefore) {}
}
