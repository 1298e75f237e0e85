package io.meshhost.converge;

import io.meshhost.machine.Files;
import io.meshhost.machine.Places;
import io.meshhost.record.RecordState;
import io.meshhost.record.RecordStore;
import io.meshhost.record.RecordStores;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The record of this machine, opened at first need and kept open: a daemon must come up and say what is wrong although
 * its record cannot be read, and read it again once it can.
 */
final class OpenRecord implements AutoCloseable {
    private final Path database;
    private final Path library;
    private final Files files;
    private Optional<RecordStore> store = Optional.empty();
    private boolean creating;
    private boolean stood;

    OpenRecord(Places places, Files files) {
        this.database = places.database();
        this.library = places.stateDir().resolve("lib");
        this.files = files;
    }

    /**
     * @throws io.meshhost.record.RecordFailure when it cannot be read
     */
    synchronized RecordStore open(boolean mayCreate) {
        boolean there = files.stat(database).isPresent();
        // Made since, or removed under us: what is open is not what stands there now.
        if (store.isPresent() && (there != stood || (mayCreate && !creating))) {
            close();
        }
        RecordStore open = store.orElseGet(() -> RecordStores.open(database, library, mayCreate));
        store = Optional.of(open);
        creating |= mayCreate;
        stood = there;
        return open;
    }

    /** A record that cannot be trusted is renamed, so that a new one can be made and the old one looked into. */
    synchronized void setDamagedAside(Instant now) {
        if (files.stat(database).isPresent()
                && RecordStores.state(database, library, List.of()) instanceof RecordState.Damaged) {
            close();
            RecordStores.setAside(database, now);
        }
    }

    @Override
    public synchronized void close() {
        store.ifPresent(RecordStore::close);
        store = Optional.empty();
        creating = false;
    }
}
