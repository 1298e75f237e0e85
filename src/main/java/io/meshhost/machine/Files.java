package io.meshhost.machine;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Every write to the disk. Survives a power cut at any instruction: write aside, fsync, rename, fsync
 * the directory. Operations are numbered for the {@link Probe}.
 *
 * <p><b>Where root writes</b> (SPEC 2): parents are walked one at a time without following; a link among
 * them is followed only if it and its directory belong to root (or to the caller, when that is not root) and nobody else may
 * write there, and never out of {@code root}. Verdicts are remembered per directory until {@link #sync}.
 *
 * <p>All paths are real ones (under the root already). Failures are {@link MachineFailure}s that name the
 * path, the reason in words (full, read-only, immutable, a mount point) and the next step.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class Files {
    private final Path root;
    private final Probe probe;

    public Files(Path root, Probe probe) {
        this.root = root;
        this.probe = probe;
    }

    // ---- looking (never follows the last name) ----

    public Optional<Stat> stat(Path path) {
        throw new UnsupportedOperationException();
    }

    /** Names in the directory in byte order, as paths under it; empty where it is absent. */
    public List<Path> list(Path directory) {
        throw new UnsupportedOperationException();
    }

    /** @throws MachineFailure when it is larger than the limit, absent, or not a regular file */
    public byte[] read(Path path, long limit) {
        throw new UnsupportedOperationException();
    }

    public Optional<String> readLink(Path path) {
        throw new UnsupportedOperationException();
    }

    /** SHA-256 as 64 lower-case hex digits, streamed. */
    public String sha256(Path path) {
        throw new UnsupportedOperationException();
    }

    /** The directories from the root down to, not including, the path that do not exist yet, outermost first. */
    public List<Path> missingParents(Path path) {
        throw new UnsupportedOperationException();
    }

    /** Bytes that a write of ours could still take on the file system that holds, or would hold, the path. */
    public long freeSpace(Path path) {
        throw new UnsupportedOperationException();
    }

    // ---- writing ----

    /**
     * Puts the bytes at the path by way of a temporary file in the same directory, which has its final mode
     * and owner and is fsynced before the rename. What of mode, owner, ACL and extended attributes is not
     * given is kept from the file that is there. A link at the path is replaced, never followed. The
     * directory is fsynced by {@link #sync}, once a batch.
     */
    public void write(Path path, byte[] content, Attributes attributes) {
        throw new UnsupportedOperationException();
    }

    /** As {@link #write}, streamed. */
    public void write(Path path, InputStream content, Attributes attributes) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** One directory; its parent must exist. Nothing where a directory is there already. */
    public void makeDirectory(Path path, Attributes attributes) {
        throw new UnsupportedOperationException();
    }

    /** Mode and owner of what is there; never follows a link. */
    public void change(Path path, Attributes attributes) {
        throw new UnsupportedOperationException();
    }

    /** rename(2) within one file system; a file at the destination is replaced. */
    public void move(Path from, Path to) {
        throw new UnsupportedOperationException();
    }

    /** A file, a link or an empty directory; nothing where there is nothing. */
    public void delete(Path path) {
        throw new UnsupportedOperationException();
    }

    /** A tree, never following a link; nothing where there is nothing. */
    public void deleteTree(Path path) {
        throw new UnsupportedOperationException();
    }

    /** A hard link is made, for carrying a file over to the tree that replaces its own; falls back to nothing. */
    public void link(Path existing, Path name) {
        throw new UnsupportedOperationException();
    }

    public void symlink(Path name, String target) {
        throw new UnsupportedOperationException();
    }

    /** fsyncs every directory changed since the last call, each once. */
    public void sync() {
        throw new UnsupportedOperationException();
    }

    /** Removes what interrupted writes left beside the paths (their temporary files have a fixed name each). */
    public void sweep(Collection<Path> paths) {
        throw new UnsupportedOperationException();
    }

    Path root() {
        return root;
    }

    Probe probe() {
        return probe;
    }

    /** What to set; empty is kept, or for something new: 0644 (0755 for a directory) and the caller's own. */
    public record Attributes(OptionalInt mode, OptionalInt uid, OptionalInt gid) {
        public static Attributes kept() {
            return new Attributes(OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty());
        }

        public static Attributes mode(int mode) {
            return new Attributes(OptionalInt.of(mode), OptionalInt.empty(), OptionalInt.empty());
        }
    }
}
