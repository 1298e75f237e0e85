package io.meshhost.machine;

import io.meshhost.machine.linux.AbstractName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * One program of its kind a directory, by a lock that ends with its holder (SPEC 1). Where the disk takes no lock file (full,
 * read-only), a name in the kernel is held instead.
 */
public final class DirectoryLock {
    private final Path directory;
    private final String kind;
    private final Path file;
    private final LockFile lock;

    /** @param kind of program, as "host"; the file is named by it */
    public DirectoryLock(Path directory, String kind, LockFile lock) {
        this.directory = directory;
        this.kind = kind;
        this.file = directory.resolve(kind + ".lock");
        this.lock = lock;
    }

    /**
     * @param verb what cannot be done while another holds it
     * @param said is told why a name is held instead of the file
     * @throws MachineFailure when another holds it
     */
    public AutoCloseable hold(String verb, Consumer<String> said) {
        Optional<LockFile.Held> held;
        try {
            held = lock.tryHold(file);
        } catch (MachineFailure failure) {
            OptionalLong holder = lock.holder(file);
            if (holder.isPresent()) {
                throw busy(verb, holder);
            }
            // Who could lock the file is asked first, above.
            AutoCloseable named = byName(verb, failure, said);
            said.accept(failure.sentence());
            return named;
        }
        return unlessNamed(verb, held.orElseThrow(() -> busy(verb, lock.holder(file))));
    }

    private AutoCloseable byName(String verb, MachineFailure failure, Consumer<String> said) {
        String name = name();
        Optional<AbstractName> held = AbstractName.hold(name);
        if (held.isPresent()) {
            return held.get();
        }
        OptionalLong holder = AbstractName.holder(name);
        if (holder.isPresent() && !Looks.ours(holder.getAsLong())) {
            said.accept("pid " + holder.getAsLong() + " of another user holds the name that stands for the lock of "
                    + directory + "; going on without one");
            return () -> {};
        }
        throw AbstractName.held(name) ? busy(verb, holder) : failure;
    }

    /** One that began when the disk was read-only holds no file. */
    private AutoCloseable unlessNamed(String verb, LockFile.Held held) {
        OptionalLong holder = named();
        if (holder.isPresent()) {
            held.close();
            throw busy(verb, holder);
        }
        return held;
    }

    /** The pid of who has it, by file or by name; empty when nobody does, or one whom we cannot see. */
    public OptionalLong holder() {
        OptionalLong holder = lock.holder(file);
        return holder.isPresent() ? holder : named();
    }

    /** Anybody may take any name: one who is not this user is none of ours, and must not keep us from starting. */
    private OptionalLong named() {
        OptionalLong holder = AbstractName.holder(name());
        return holder.isPresent() && Looks.ours(holder.getAsLong()) ? holder : OptionalLong.empty();
    }

    /** By the directory itself; where it cannot be made, by its path. */
    private String name() {
        return "mesh-host-" + kind + "-"
                + stat().map(stat -> stat.device() + "-" + stat.inode())
                        .orElseGet(() -> UUID.nameUUIDFromBytes(
                                        directory.toString().getBytes(StandardCharsets.UTF_8))
                                .toString());
    }

    private Optional<Stat> stat() {
        try {
            return Stats.lstat(directory);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private MachineFailure busy(String verb, OptionalLong holder) {
        return new MachineFailure("cannot " + verb + ": another " + kind
                + (holder.isPresent() ? ", pid " + holder.getAsLong() + "," : "") + " keeps " + directory
                + "; stop it first");
    }
}
