package io.meshhost.machine.services;

import io.meshhost.machine.MachineFailure;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Keeps {@code running.json} true: one writer at a time, and one write for many changes that come together. */
final class BuiltinBoard implements BuiltinWorks.Status {
    private final BuiltinStore store;
    private final Executor worker;
    private final Consumer<String> notes;
    private final Supplier<List<BuiltinStatus.Unit>> units;
    private final ProcessTable.Entry self;
    private final String boot;
    private final ReentrantLock writing = new ReentrantLock();
    private final AtomicBoolean owed = new AtomicBoolean();
    private volatile boolean closing;

    BuiltinBoard(
            BuiltinStore store,
            ProcessTable table,
            Executor worker,
            Consumer<String> notes,
            Supplier<List<BuiltinStatus.Unit>> units) {
        this.store = store;
        this.worker = worker;
        this.notes = notes;
        this.units = units;
        this.boot = table.bootId();
        this.self = table.entry((int) ProcessHandle.current().pid()).orElseThrow();
    }

    @Override
    public void publish() {
        write(true);
    }

    private void write(boolean asked) {
        writing.lock();
        try {
            boolean due = owed.getAndSet(false);
            if (!asked && (closing || !due)) {
                return;
            }
            store.running(new BuiltinStatus(self.pid(), self.started(), boot, units.get()).json());
        } catch (MachineFailure e) {
            // A full disk stops no process; the next change writes again.
            notes.accept(e.sentence());
        } finally {
            writing.unlock();
        }
    }

    @Override
    public void changed() {
        if (!closing && owed.compareAndSet(false, true)) {
            worker.execute(() -> write(false));
        }
    }

    /** No write is begun in the background any more: the state directory is the caller's again after close. */
    void closing() {
        closing = true;
    }
}
