package io.meshhost.launch;

import io.meshhost.machine.Files;
import io.meshhost.machine.LockFile;
import io.meshhost.machine.Looks;
import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.Stat;
import io.meshhost.machine.linux.AbstractName;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

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
        Optional<LockFile.Held> held;
        try {
            held = lock.tryHold(file);
        } catch (MachineFailure failure) {
            OptionalLong holder = lock.holder(file);
            if (holder.isPresent()) {
                throw busy(holder);
            }
            // Full or read-only: a name in the kernel needs no disk. Who could lock the file is asked first, above.
            return byName(failure);
        }
        return unlessNamed(held.orElseThrow(() -> busy(lock.holder(file))));
    }

    private AutoCloseable byName(MachineFailure failure) {
        String name = name();
        return AbstractName.hold(name)
                .<AutoCloseable>map(held -> held)
                .orElseThrow(() -> AbstractName.held(name) ? busy(AbstractName.holder(name)) : failure);
    }

    /** One that began when the disk was read-only holds no file. */
    private AutoCloseable unlessNamed(LockFile.Held held) {
        String name = name();
        OptionalLong holder = AbstractName.holder(name);
        // Anybody may take any name: one who is not this user is no supervisor of ours, and must not keep us from
        // starting.
        if (holder.isPresent() && Looks.ours(holder.getAsLong())) {
            held.close();
            throw busy(holder);
        }
        return held;
    }

    /** By the directory itself; where it cannot be made, by its path. */
    private String name() {
        String path = directory.toString();
        return "mesh-host-supervisor-"
                + stat().map(stat -> stat.device() + "-" + stat.inode())
                        .orElseGet(() -> UUID.nameUUIDFromBytes(path.getBytes(StandardCharsets.UTF_8))
                                .toString());
    }

    private Optional<Stat> stat() {
        try {
            return files.stat(directory);
        } catch (MachineFailure failure) {
            return Optional.empty();
        }
    }

    private MachineFailure busy(OptionalLong holder) {
        return new MachineFailure("cannot supervise: another supervisor"
                + (holder.isPresent() ? ", pid " + holder.getAsLong() + "," : "") + " keeps " + directory
                + "; stop it first");
    }
}
