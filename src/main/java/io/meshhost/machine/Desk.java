package io.meshhost.machine;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/** What all writers of {@link io.meshhost.machine.Files} share: the gate, the walk, and the directories still to be fsynced. */
final class Desk {
    final Gate gate;
    private final Path root;
    final Walk walk;
    final Self self;
    private final Set<Path> changed = new LinkedHashSet<>();
    private final ReentrantLock syncing = new ReentrantLock();

    Desk(Path root, Probe probe) {
        this.root = root;
        this.gate = new Gate(probe);
        this.self = Self.read();
        this.walk = new Walk(root, self);
    }

    /** Why the walk to the path, as far as there is one, would be refused: a clause. */
    Optional<String> refusal(Path path, Failures failures) {
        try {
            List<Path> missing = Looking.missingParents(root, path);
            walk.parentOf(missing.isEmpty() ? path : missing.getFirst());
            return Optional.empty();
        } catch (Refusal refusal) {
            return Optional.of(refusal.reason());
        } catch (IOException e) {
            return Optional.of(failures.reason(path, e));
        }
    }

    /** A name in the directory was made, replaced or removed; the change lasts only after {@link #sync}. */
    void changed(Path directory) {
        synchronized (changed) {
            changed.add(directory);
        }
    }

    /** The same for the directory in which the path stands. */
    void changedAt(Path path) {
        Path directory = path.getParent();
        if (directory != null) {
            changed(directory);
        }
    }

    /** fsync(2): a directory needs its own. One that is gone since has nothing left to keep. */
    void sync() throws IOException {
        // Held to the end: who finds nothing left to sync must be sure that it is on disk, not that another
        // thread has taken it in hand. Engine and supervisor share these files.
        syncing.lock();
        try {
            walk.forget();
            for (Path directory : pending()) {
                if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
                    // Struck off before its fsync, so that a change during it is not lost; put back when it fails.
                    synchronized (changed) {
                        changed.remove(directory);
                    }
                    try {
                        gate.pass("fsync-dir", directory);
                        force(directory);
                    } catch (IOException e) {
                        changed(directory);
                        throw e;
                    }
                } else {
                    synchronized (changed) {
                        changed.remove(directory);
                    }
                }
            }
        } finally {
            syncing.unlock();
        }
    }

    private List<Path> pending() {
        synchronized (changed) {
            return List.copyOf(changed);
        }
    }

    private static void force(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /**
     * Owner, then mode: chown(2) takes setuid and setgid away. Nothing is called that would change nothing, so that
     * one who is not root may keep what is his.
     */
    void dress(Path path, OptionalInt mode, OptionalInt uid, OptionalInt gid) throws IOException {
        Stat now = Stats.lstat(path).orElseThrow(() -> new NoSuchFileException(path.toString()));
        boolean owned = false;
        if (uid.isPresent() && uid.getAsInt() != now.uid()) {
            set(path, "owner", "unix:uid", uid.getAsInt());
            owned = true;
        }
        if (gid.isPresent() && gid.getAsInt() != now.gid()) {
            set(path, "group", "unix:gid", gid.getAsInt());
            owned = true;
        }
        int wanted = mode.orElse(now.mode());
        boolean special = owned && (wanted & 07000) != 0;
        if (!now.isLink() && (special || wanted != now.mode())) {
            set(path, "mode", "unix:mode", wanted);
        }
    }

    private void set(Path path, String operation, String attribute, int value) throws IOException {
        gate.pass(operation, path);
        Files.setAttribute(path, attribute, value, LinkOption.NOFOLLOW_LINKS);
    }

    /** What may be replaced by a file: nothing, a file or a link. */
    Optional<Stat> replaceable(Path real) throws IOException {
        Optional<Stat> there = Stats.lstat(real);
        if (there.isPresent() && !there.get().isFile() && !there.get().isLink()) {
            throw new Refusal(
                    there.get().isDirectory()
                            ? "it is a directory; remove it, or declare another path"
                            : "it is a device, a socket or a fifo; remove it, or declare another path");
        }
        return there;
    }
}
