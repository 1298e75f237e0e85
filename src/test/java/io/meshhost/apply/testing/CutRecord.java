package io.meshhost.apply.testing;

import io.meshhost.machine.Probe;
import io.meshhost.record.Applied;
import io.meshhost.record.HistoryEntry;
import io.meshhost.record.RecordStore;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** A record whose transactions are points at which the power can be cut, before each and after each. */
public final class CutRecord implements RecordStore {
    private final RecordStore inner;
    private final Probe probe;
    private long number;

    public CutRecord(RecordStore inner, Probe probe) {
        this.inner = inner;
        this.probe = probe;
    }

    private void around(String what, Runnable write) {
        probe.before(++number, what, Path.of("/record"));
        write.run();
        probe.before(++number, "after-" + what, Path.of("/record"));
    }

    /** How many points there were. */
    public long points() {
        return number;
    }

    @Override
    public Map<String, Applied> applied() {
        return inner.applied();
    }

    @Override
    public Optional<byte[]> contentBefore(String id) {
        return inner.contentBefore(id);
    }

    @Override
    public void begin(Collection<Beginning> rows) {
        around("begin", () -> inner.begin(rows));
    }

    @Override
    public void finish(
            Collection<Applied> done, Collection<String> forgotten, Map<String, Set<String>> owed, Set<String> paid) {
        around("finish", () -> inner.finish(done, forgotten, owed, paid));
    }

    @Override
    public Map<String, Set<String>> owed() {
        return inner.owed();
    }

    @Override
    public OptionalLong serial() {
        return inner.serial();
    }

    @Override
    public void serial(long serial) {
        around("serial", () -> inner.serial(serial));
    }

    @Override
    public boolean rebuilding() {
        return inner.rebuilding();
    }

    @Override
    public void rebuilding(boolean now) {
        around("rebuilding", () -> inner.rebuilding(now));
    }

    @Override
    public byte[] secretKey() {
        return inner.secretKey();
    }

    @Override
    public long history(HistoryEntry entry) {
        return inner.history(entry);
    }

    @Override
    public List<HistoryEntry> history(Optional<String> id, int limit) {
        return inner.history(id, limit);
    }

    @Override
    public void close() {
        inner.close();
    }
}
