package io.meshhost.launch;

import io.meshhost.machine.Files;
import io.meshhost.machine.LockFile;
import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.Stat;
import io.meshhost.machine.linux.AbstractName;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/** One supervisor a state directory, by a lock that ends with its holder (SPEC 1). */
final class SupervisorLock {
    private final Path directory;
    private final Files files;
    private final LockFile lock;

    SupervisorLock(Path directory, Files files, LockFile lock) {
        this.directory = directory;
        this.files = files;
        this.lock = lock;
    }

    /**
     * @throws MachineFailure when another supervisor holds it
     */
    AutoCloseable hold() {
        Path file = directory.resolve("supervisor.lock");
        try {
            return lock.tryHold(file).orElseThrow(() -> busy(lock.holder(file)));
        } catch (MachineFailure failure) {
            OptionalLong holder = lock.holder(file);
            if (holder.isPresent()) {
                throw busy(holder);
            }
            // Full or read-only: a name in the kernel needs no disk. Who could lock the file is asked first, above.
            return byName(failure);
        }
    }

    private AutoCloseable byName(MachineFailure failure) {
        Optional<Stat> stat = files.stat(directory);
        if (stat.isEmpty()) {
            throw failure;
        }
        String name =
                "mesh-host-supervisor-" + stat.get().device() + "-" + stat.get().inode();
        return AbstractName.hold(name).<AutoCloseable>map(held -> held).orElseThrow(() -> busy(OptionalLong.empty()));
    }

    private MachineFailure busy(OptionalLong holder) {
        return new MachineFailure("cannot supervise: another supervisor"
                + (holder.isPresent() ? ", pid " + holder.getAsLong() + "," : "") + " keeps " + directory
                + "; stop it first");
    }
}
