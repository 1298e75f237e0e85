package io.meshhost.machine;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * An exclusive lock on a file, gone with its holder however that ends (fcntl(2)).
 *
 * <p>Nothing is written into the file: the kernel knows who holds it, and a pid written there would outlive its process.
 *
 * <p>The fault to mind: closing <em>any</em> descriptor of the file gives up all locks that the whole process has on it. So
 * the file is never opened while this process holds it.
 */
public final class LockFile {
    private static final long POLL = Duration.ofMillis(50).toNanos();

    private final Ticker ticker;
    /** Opened by mistake while somebody else in this process held the file; to close them would free it. */
    private final List<FileChannel> never = new ArrayList<>();

    public LockFile(Ticker ticker) {
        this.ticker = ticker;
    }

    /**
     * Empty when somebody holds it, this process included.
     *
     * @throws MachineFailure when the file cannot be opened or made
     */
    public synchronized Optional<Held> tryHold(Path file) {
        OptionalLong holder = holder(file);
        if (holder.isPresent() && holder.getAsLong() == ProcessHandle.current().pid()) {
            return Optional.empty();
        }
        try {
            FileChannel channel = FileChannel.open(
                    file,
                    Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
                    Writer.OURS_ALONE);
            return lock(channel);
        } catch (IOException e) {
            throw new Failures(path -> "").of("lock", file, e);
        }
    }

    private Optional<Held> lock(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return Optional.of(new Held(channel));
            }
        } catch (OverlappingFileLockException e) {
            never.add(channel);
            return Optional.empty();
        }
        channel.close();
        return Optional.empty();
    }

    /** Tries until the limit has passed; an interrupt ends the wait. Whom it waits for, {@link #holder} tells. */
    public Optional<Held> hold(Path file, Duration limit) {
        long start = ticker.nanos();
        Optional<Held> held = tryHold(file);
        while (held.isEmpty()
                && ticker.nanos() - start < limit.toNanos()
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(this, POLL);
            held = tryHold(file);
        }
        return held;
    }

    /** The pid that holds the file, from /proc/locks (proc(5)); empty when nobody does, or one whom we cannot see. */
    public OptionalLong holder(Path file) {
        try {
            Optional<Stat> stat = Stats.lstat(file);
            if (stat.isEmpty()) {
                return OptionalLong.empty();
            }
            String key = deviceAndInode(stat.get());
            // Words: 1 kind, 3 READ or WRITE, 4 pid, 5 device and inode; a waiter's line has an arrow for its kind.
            return Files.readAllLines(Path.of("/proc/locks")).stream()
                    .map(line -> line.trim().split("\\s+", -1))
                    .filter(words -> words.length > 5 && words[1].equals("POSIX") && words[5].equals(key))
                    .mapToLong(words -> Long.parseLong(words[4]))
                    .filter(pid -> pid > 0)
                    .findFirst();
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }

    /** As the kernel prints it: major and minor in hex, inode in decimal; makedev(3) gives the bits. */
    private static String deviceAndInode(Stat stat) {
        long device = stat.device();
        long major = ((device >>> 8) & 0xfff) | ((device >>> 32) & ~0xfffL);
        long minor = (device & 0xff) | ((device >>> 12) & ~0xffL);
        return String.format("%02x:%02x:%d", major, minor, stat.inode());
    }

    /** The lock, until closed. */
    public static final class Held implements AutoCloseable {
        private final FileChannel channel;

        Held(FileChannel channel) {
            this.channel = channel;
        }

        /** The file stays: removing it would let a third one lock another file of the same name. */
        @Override
        public void close() {
            try {
                channel.close();
            } catch (IOException e) {
                throw new MachineFailure("cannot give back a lock: " + e.getMessage(), e);
            }
        }
    }
}
