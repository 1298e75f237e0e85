package io.meshhost.apply;

import io.meshhost.machine.Files;
import io.meshhost.machine.Files.Attributes;
import io.meshhost.machine.LockFile;
import io.meshhost.machine.Machine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;

/** Two applies never work on one machine at the same time: the second waits, and then says for whom. */
public final class ApplyLock {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Machine machine;
    private final LockFile lock;

    /**
     * @param lock shared by all of this process: closing another one's file would give up this one's lock (fcntl(2))
     */
    public ApplyLock(Machine machine, LockFile lock) {
        this.machine = machine;
        this.lock = lock;
    }

    /**
     * Waits 10 s at most; to be closed when the apply has ended.
     *
     * @throws ApplyFailure BUSY, naming the process that holds it
     */
    public LockFile.Held hold() {
        return hold(PATIENCE);
    }

    LockFile.Held hold(Duration patience) {
        Path stateDir = machine.places().stateDir();
        makePrivate(stateDir);
        Path file = stateDir.resolve("apply.lock");
        return lock.hold(file, patience).orElseThrow(() -> busy(file));
    }

    private ApplyFailure busy(Path file) {
        OptionalLong holder = lock.holder(file);
        String who = holder.isPresent() ? "process " + holder.getAsLong() + " is applying" : "another apply is at work";
        return new ApplyFailure(
                ApplyFailure.Reason.BUSY,
                "cannot apply: " + who + " and did not end in time; wait for it, and try again");
    }

    private void makePrivate(Path stateDir) {
        Files files = machine.files();
        if (files.stat(stateDir).isEmpty()) {
            files.missingParents(stateDir).forEach(parent -> files.makeDirectory(parent, Attributes.mode(0755)));
            files.makeDirectory(stateDir, Attributes.mode(0700));
            files.sync();
        }
    }
}
