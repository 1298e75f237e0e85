package io.meshhost.machine;

import io.meshhost.machine.Walk.Spot;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

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
public final class Files {
    private final Path root;
    private final Desk desk;
    private final Writer writer;
    private final SharedWriter sharedWriter;
    private final Changer changer;
    private final ShiftingChanger shifting;
    private final Trees trees;
    private final Failures failures;

    public Files(Path root, Probe probe) {
        this(root, probe, new SystemCommands());
    }

    /** @param commands for cp, ls and lsattr, which do what the JDK cannot; started in rare cases only */
    public Files(Path root, Probe probe, Commands commands) {
        Keeper keeper = new Keeper(commands);
        this.root = root;
        this.desk = new Desk(root, probe);
        this.trees = new Trees(desk.gate, desk.self);
        this.writer = new Writer(desk, trees, keeper);
        this.sharedWriter = new SharedWriter(desk, trees, keeper);
        this.changer = new Changer(desk, trees);
        this.shifting = new ShiftingChanger(desk, trees);
        this.failures = new Failures(keeper::attribute);
    }

    // ---- looking (never follows the last name) ----

    public Optional<Stat> stat(Path path) {
        return asking("look at", path, () -> Stats.lstat(path));
    }

    /** Names in the directory in byte order, as paths under it; empty where it is absent. */
    public List<Path> list(Path directory) {
        return asking("list", directory, () -> Looking.list(directory));
    }

    /** @throws MachineFailure when it is larger than the limit, absent, or not a regular file */
    public byte[] read(Path path, long limit) {
        return asking("read", path, () -> Looking.read(path, limit));
    }

    public Optional<String> readLink(Path path) {
        return asking(
                "read",
                path,
                () -> Stats.lstat(path).filter(Stat::isLink).isEmpty()
                        ? Optional.empty()
                        : Optional.of(java.nio.file.Files.readSymbolicLink(path).toString()));
    }

    /** SHA-256 as 64 lower-case hex digits, streamed. */
    public String sha256(Path path) {
        return asking("read", path, () -> {
            try (InputStream in = Looking.open(path)) {
                return Digests.sha256(in);
            }
        });
    }

    /** The directories from the root down to, not including, the path that do not exist yet, outermost first. */
    public List<Path> missingParents(Path path) {
        return asking("look at", path, () -> Looking.missingParents(root, path));
    }

    /** Bytes that a write of ours could still take on the file system that holds, or would hold, the path. */
    public long freeSpace(Path path) {
        return Looking.freeSpace(path);
    }

    /** Why the walk to the path would be refused, as the clause after "cannot write PATH: "; for plans. */
    public Optional<String> refusal(Path path) {
        return desk.refusal(path, failures);
    }

    // ---- writing ----

    /**
     * Puts the bytes at the path by way of a temporary file beside it (in the same directory, or in one of our
     * own in it), which has its final mode and owner and is fsynced before the rename. What of mode, owner, ACL and
     * extended attributes is not given is kept from the file that is there; a hard link is broken, its other names
     * keep the old content ({@link Stat#links} tells). A link at the path is replaced, never followed. The directory
     * is fsynced by {@link #sync}, once a batch.
     */
    public void write(Path path, byte[] content, Attributes attributes) {
        try {
            write(path, Source.of(content), attributes);
        } catch (Source.Broken e) {
            throw new IllegalStateException("an array cannot fail", e);
        }
    }

    /** As {@link #write}, streamed; when the stream throws, nothing is left. */
    public void write(Path path, InputStream content, Attributes attributes) throws IOException {
        try {
            write(path, new Source(content, OptionalLong.empty()), attributes);
        } catch (Source.Broken e) {
            throw e.rethrow();
        }
    }

    private void write(Path path, Source content, Attributes attributes) throws Source.Broken {
        try {
            Spot spot = desk.walk.parentOf(path);
            if (spot.sound()) {
                writer.write(spot.at(path), content, attributes);
            } else {
                sharedWriter.write(spot, Walk.name(path), content, attributes);
            }
        } catch (Source.Broken e) {
            throw e;
        } catch (IOException e) {
            throw failures.of("write", path, e, content.size());
        }
    }

    /** One directory; its parent must exist. Nothing where a directory is there already. */
    public void makeDirectory(Path path, Attributes attributes) {
        dressing(
                "make directory",
                path,
                attributes,
                spot -> changer.makeDirectory(spot.at(path), attributes),
                spot -> shifting.makeDirectory(spot, Walk.name(path), attributes));
    }

    /**
     * Mode and owner of what is there; never follows a link.
     *
     * @throws MachineFailure also where others may put something else there ({@link #fixed}) and it is no directory, or
     *     one with something in it that would be given away or opened: it may be another one than was meant
     */
    public void change(Path path, Attributes attributes) {
        dressing(
                "change",
                path,
                attributes,
                spot -> changer.change(spot.at(path), attributes),
                spot -> shifting.change(spot, Walk.name(path), attributes));
    }

    /** Whether nobody else can put something else at the path; its directory must exist. */
    public boolean fixed(Path path) {
        return asking("look at", path, () -> desk.walk.parentOf(path).sound());
    }

    /** rename(2) within one file system; a file at the destination is replaced. */
    public void move(Path from, Path to) {
        doing("move " + from + " to", to, () -> {
            Spot source = desk.walk.parentOf(from);
            Spot destination = desk.walk.parentOf(to);
            if (source.shifting() || destination.shifting()) {
                shifting.move(source, Walk.name(from), destination, Walk.name(to));
            } else {
                changer.move(source.at(from), destination.at(to));
            }
        });
    }

    /** A file, a link or an empty directory; nothing where there is nothing. */
    public void delete(Path path) {
        whereThere(
                path,
                () -> at(
                        "remove",
                        path,
                        spot -> changer.delete(spot.at(path)),
                        spot -> shifting.delete(spot, Walk.name(path))));
    }

    /** Refused where something is mounted in the tree, or at its top. */
    public void refuseMounts(Path path) {
        doing("replace", path, () -> Changer.refuseMounts(path));
    }

    /** A tree, never following a link; nothing where there is nothing. Refused where something is mounted in it. */
    public void deleteTree(Path path) {
        whereThere(
                path,
                () -> at(
                        "remove",
                        path,
                        spot -> changer.deleteTree(spot.at(path)),
                        spot -> shifting.deleteTree(spot, Walk.name(path))));
    }

    public void symlink(Path name, String target) {
        at("make link", name, spot -> changer.symlink(spot.at(name), target), spot -> Changer.refuse(spot, name));
    }

    /** A new directory to be filled quickly; its parent must exist, and others may not replace what stands in that. */
    public FreshTree freshTree(Path path) {
        return FreshTree.make(desk, failures, path);
    }

    /** fsyncs every directory changed since the last call, each once. */
    public void sync() {
        doing("sync", root, desk::sync);
    }

    /** Removes what interrupted writes left beside the paths (their temporary files have a fixed name each). */
    public void sweep(Collection<Path> paths) {
        for (Path path : paths) {
            doing("sweep", path, () -> trees.sweep(desk, path));
        }
    }

    /** Whether an interrupted write left something beside the path that {@link #sweep} would remove. */
    public boolean littered(Path path) {
        return stat(Temporary.beside(path)).isPresent();
    }

    private void whereThere(Path path, Runnable removal) {
        if (stat(path).isPresent()) {
            removal.run();
        }
    }

    private void at(String verb, Path path, Effect onFixedGround, Effect onShiftingGround) {
        doing(verb, path, () -> {
            Spot spot = desk.walk.parentOf(path);
            (spot.shifting() ? onShiftingGround : onFixedGround).on(spot);
        });
    }

    /** What reaches for an owner or a mode: by path only where the name stays what it is. */
    private void dressing(String verb, Path path, Attributes wanted, Effect byPath, Effect byDescriptor) {
        doing(verb, path, () -> {
            Spot spot = desk.walk.parentOf(path);
            (changer.fixed(spot, spot.at(path), wanted.uid()) ? byPath : byDescriptor).on(spot);
        });
    }

    // What a probe throws is no IOException, so it passes.
    private <T> T asking(String verb, Path path, Question<T> question) {
        try {
            return question.ask();
        } catch (IOException e) {
            throw failures.of(verb, path, e);
        }
    }

    private void doing(String verb, Path path, Act act) {
        asking(verb, path, () -> {
            act.now();
            return Optional.empty();
        });
    }

    private interface Act {
        void now() throws IOException;
    }

    private interface Question<T> {
        T ask() throws IOException;
    }

    private interface Effect {
        void on(Spot spot) throws IOException;
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
