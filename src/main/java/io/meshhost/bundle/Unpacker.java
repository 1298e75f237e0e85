package io.meshhost.bundle;

import io.meshhost.machine.FreshTree;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Puts entries into a fresh tree in one pass.
 *
 * <p>No link is made before all entries are known and every link was followed on paper: while files are
 * written there is none that a name could pass through. Every file is on the disk before its directory is,
 * and the tree is opened to others last.
 */
final class Unpacker implements Visitor {
    private static final int TOP_MODE = 0755;
    /** fsyncs that wait for the disk together share one commit of the file system's journal. */
    private static final int SYNCERS = 4;

    private final Archive archive;
    private final Layout layout;
    private final Limits limits;
    private final FreshTree tree;
    private final Bundles.Owner owner;
    private final long space;
    private final byte[] buffer = new byte[64 * 1024];
    private long total;

    /** @param space bytes that fit on the file system */
    Unpacker(Archive archive, Layout layout, Limits limits, FreshTree tree, Bundles.Owner owner, long space) {
        this.archive = archive;
        this.layout = layout;
        this.limits = limits;
        this.tree = tree;
        this.owner = owner;
        this.space = space;
    }

    @Override
    public void entry(Raw raw, InputStream content) throws IOException {
        for (Entry entry : layout.add(raw)) {
            switch (entry.type()) {
                case DIRECTORY -> tree.directory(entry.path());
                case FILE -> {
                    if (!layout.hardLinks().containsKey(entry.path())) {
                        file(entry, raw, content);
                    }
                }
                case LINK -> {
                    // Made at the end.
                }
            }
        }
    }

    private void file(Entry entry, Raw raw, InputStream content) throws IOException {
        total += entry.size();
        limits.check(archive.name(), total, archive.size());
        if (total > space && !raw.holes()) {
            throw new BundleFailure("cannot unpack " + archive.name() + ": the disk is too full: it needs at least "
                    + Sizes.of(total) + ", " + tree.top() + " has " + Sizes.of(space)
                    + "; free some space and apply again");
        }
        try (FileChannel out = created(entry)) {
            long length = copy(entry, raw.holes(), content, out);
            if (length != entry.size()) {
                throw new IOException("the entry " + entry.path() + " is cut short");
            }
        }
        tree.dress(entry.path(), OptionalInt.of(entry.mode()), owner.uid(), owner.gid());
    }

    private FileChannel created(Entry entry) {
        try {
            return tree.file(entry.path());
        } catch (IOException e) {
            throw tree.failure(entry.path(), e);
        }
    }

    private long copy(Entry entry, boolean holes, InputStream content, FileChannel out) throws IOException {
        long done = 0;
        boolean hole = false;
        while (true) {
            int length = content.readNBytes(buffer, 0, buffer.length);
            if (length == 0) {
                break;
            }
            hole = holes && allZero(length);
            if (!hole) {
                write(entry, out, done, ByteBuffer.wrap(buffer, 0, length));
            }
            done += length;
        }
        if (hole) {
            // A file ends where its last byte was written.
            write(entry, out, done - 1, ByteBuffer.wrap(new byte[1]));
        }
        return done;
    }

    private void write(Entry entry, FileChannel out, long at, ByteBuffer bytes) {
        try {
            long position = at;
            while (bytes.hasRemaining()) {
                position += out.write(bytes, position);
            }
        } catch (IOException e) {
            throw tree.failure(entry.path(), e);
        }
    }

    private boolean allZero(int length) {
        for (int i = 0; i < length; i++) {
            if (buffer[i] != 0) {
                return false;
            }
        }
        return true;
    }

    /** Links, owners, and everything to the disk; gives what stands there now. */
    List<Entry> finish() {
        layout.checkLinks();
        List<Entry> entries = layout.entries();
        List<Path> files = new ArrayList<>();
        List<Path> directories = new ArrayList<>();
        for (Entry entry : entries) {
            switch (entry.type()) {
                case DIRECTORY -> directories.add(entry.path());
                case FILE -> {
                    if (!layout.hardLinks().containsKey(entry.path())) {
                        files.add(entry.path());
                    }
                }
                case LINK -> {
                    tree.symlink(entry.path(), entry.link().orElseThrow());
                    tree.dress(entry.path(), OptionalInt.empty(), owner.uid(), owner.gid());
                }
            }
        }
        for (Map.Entry<Path, Path> link : layout.hardLinks().entrySet()) {
            tree.hardLink(link.getValue(), link.getKey());
        }
        sync(files);
        for (Entry entry : entries.reversed()) {
            if (entry.type() == Entry.Type.DIRECTORY) {
                tree.dress(entry.path(), OptionalInt.of(entry.mode()), owner.uid(), owner.gid());
            }
        }
        sync(directories.reversed());
        tree.open(TOP_MODE, owner.uid(), owner.gid());
        return entries;
    }

    private void sync(List<Path> paths) {
        try (ExecutorService pool = Executors.newFixedThreadPool(
                SYNCERS, Thread.ofPlatform().daemon().name("fsync-", 0).factory())) {
            List<Future<?>> running = new ArrayList<>();
            int share = Math.max(1, (paths.size() + SYNCERS - 1) / SYNCERS);
            for (int from = 0; from < paths.size(); from += share) {
                List<Path> some = paths.subList(from, Math.min(paths.size(), from + share));
                running.add(pool.submit(() -> some.forEach(tree::fsync)));
            }
            for (Future<?> one : running) {
                await(one);
            }
        }
    }

    private static void await(Future<?> one) {
        try {
            one.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BundleFailure("cannot finish unpacking: it was interrupted; apply again", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException(e);
        }
    }
}
