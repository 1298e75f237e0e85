package io.meshhost.machine.services;

import io.meshhost.machine.Ticker;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * What the processes of one supervisor share.
 *
 * @param worker takes what may block, off the threads of the ticker and of the JDK's reaper
 * @param epoch random, one a supervisor: marks of two hosts are never the same
 */
record BuiltinWorks(
        BuiltinLauncher launcher,
        Spawner spawner,
        ProcessTable table,
        Ticker ticker,
        Executor worker,
        BuiltinSettings settings,
        String epoch,
        Status status,
        Consumer<String> notes) {

    /** Where {@code running.json} is kept up. */
    interface Status {
        /** Writes it before it returns. */
        void publish();

        /** Lets it be written soon; many calls make one write. */
        void changed();
    }
}
