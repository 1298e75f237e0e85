package io.meshhost.apply.testing;

import io.meshhost.record.Applied;
import io.meshhost.record.HistoryEntry;
import io.meshhost.record.RecordStore;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** A record in memory: each call is one transaction, done or not begun when the power is cut. */
public final class BoxRecord implements RecordStore {
    private final Map<String, Applied> rows = new LinkedHashMap<>();
    /** Told before and after each transaction: a test cuts the power there. */
    public Runnable around = () -> {};

    @Override
    public Map<String, Applied> applied() {
        return Map.copyOf(rows);
    }

    @Override
    public Optional<byte[]> contentBefore(String id) {
        return Optional.empty();
    }

    @Override
    public void begin(Collection<Beginning> beginnings) {
        around.run();
        beginnings.forEach(
                beginning -> rows.put(beginning.row().id(), beginning.row().pendingAgain()));
        around.run();
    }

    @Override
    public void finish(
            Collection<Applied> done, Collection<String> forgotten, Map<String, Set<String>> owed, Set<String> paid) {
        around.run();
        done.forEach(row -> rows.put(row.id(), row));
        forgotten.forEach(rows::remove);
    }

    @Override
    public Map<String, Set<String>> owed() {
        return Map.of();
    }

    @Override
    public OptionalLong serial() {
        return OptionalLong.empty();
    }

    @Override
    public void serial(long serial) {}

    @Override
    public boolean rebuilding() {
        return false;
    }

    @Override
    public void rebuilding(boolean now) {}

    @Override
    public byte[] secretKey() {
        return new byte[32];
    }

    @Override
    public long history(HistoryEntry entry) {
        return 1;
    }

    @Override
    public List<HistoryEntry> history(Optional<String> id, int limit) {
        return List.of();
    }

    @Override
    public void close() {}
}
