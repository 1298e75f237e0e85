package io.meshhost.apply;

import io.meshhost.machine.ExpectedFailure;
import io.meshhost.record.Applied;
import io.meshhost.record.RecordStore;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The first half of each change: its row is PENDING on disk, with what was there before, before anything is touched. */
final class Opening {
    /** Bytes of what was there before that are in memory at a time, give or take one file. */
    private static final long HELD = 8L << 20;

    private final Work work;
    private final RecordStore record;
    private final boolean adopting;
    private final Set<String> begun = new HashSet<>();
    private final Map<String, String> refused = new HashMap<>();

    /**
     * @param adopting what is found as declared was there before, by whatever hand: its origin is unknown
     */
    Opening(Work work, boolean adopting) {
        this.work = work;
        this.record = work.record();
        this.adopting = adopting;
    }

    boolean begun(Item item) {
        return begun.contains(item.id());
    }

    /** Why the item cannot be carried out although it was begun. */
    Optional<String> refused(Item item) {
        return Optional.ofNullable(refused.get(item.id()));
    }

    /** One transaction for all that are not begun yet, or a few where what was there before them is large. */
    void begin(List<Item.Declared> items) {
        Map<String, RecordStore.Beginning> rows = new LinkedHashMap<>();
        long held = 0;
        for (Item.Declared item : items) {
            if (begun.add(item.id())) {
                Optional<RecordStore.Beginning> row = beginning(item);
                row.ifPresent(one -> rows.put(item.id(), one));
                held += row.flatMap(RecordStore.Beginning::contentBefore)
                        .map(content -> (long) content.length)
                        .orElse(0L);
            }
            if (held >= HELD) {
                write(rows);
                rows.clear();
                held = 0;
            }
        }
        write(rows);
    }

    private Optional<RecordStore.Beginning> beginning(Item.Declared item) {
        String refusal;
        try {
            return Optional.of(new RecordStore.Beginning(row(item).pendingAgain(), contentBefore(item)));
        } catch (ExpectedFailure failure) {
            refusal = failure.sentence();
        } catch (RuntimeException bug) {
            refusal = Fault.in(item.id(), bug);
        }
        begun.remove(item.id());
        refused.put(item.id(), refusal);
        return Optional.empty();
    }

    private void write(Map<String, RecordStore.Beginning> rows) {
        if (rows.isEmpty()) {
            return;
        }
        try {
            record.begin(List.copyOf(rows.values()));
        } catch (ExpectedFailure failure) {
            rows.keySet().forEach(id -> {
                begun.remove(id);
                refused.putIfAbsent(id, failure.sentence());
            });
        }
    }

    private Optional<byte[]> contentBefore(Item.Declared item) {
        return item.first() ? item.subject().contentBefore(item.change(), work) : Optional.empty();
    }

    /** The row that the record gets for the item. */
    Applied row(Item.Declared item) {
        Applied row = item.change()
                .recorded()
                .orElseThrow(() -> new IllegalStateException("the plan of " + item.id() + " has no row"));
        return adopting && item.first() && item.change().action() == Action.UNCHANGED ? row.adopted() : row;
    }

    /** Begins and stages all of one kind together, so that one reload covers them. */
    void stage(List<Item.Declared> items) {
        begin(items);
        boolean reload = false;
        for (Item.Declared item : items) {
            if (refused(item).isEmpty()) {
                try {
                    reload |= item.subject().stage(item.change(), work);
                } catch (ExpectedFailure failure) {
                    refused.put(item.id(), failure.sentence());
                } catch (RuntimeException bug) {
                    refused.put(item.id(), Fault.in(item.id(), bug));
                }
            }
        }
        if (reload) {
            try {
                work.files().sync();
                work.services().reload();
            } catch (ExpectedFailure failure) {
                items.forEach(item -> refused.putIfAbsent(item.id(), failure.sentence()));
            }
        }
    }
}
