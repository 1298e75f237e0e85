package io.meshhost.machine;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A new directory that is filled quickly: until {@link #open} nobody but its owner, this program, may enter it, so
 * that nothing in it can be swapped and no name in it needs a walk.
 *
 * <p>Paths given are relative to its top and normal; callers see to it that none passes through a link. Operations
 * pass the same numbered gate as those of {@link io.meshhost.machine.Files}. Safe for several threads at once on
 * different names. Failures are {@link MachineFailure}s.
 */
public final class FreshTree {
    private static final Set<StandardOpenOption> NEW = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

    private final Desk desk;
    private final Failures failures;
    private final Path top;

    private FreshTree(Desk desk, Failures failures, Path top) {
        this.desk = desk;
        this.failures = failures;
        this.top = top;
    }

    /** Makes the top; something that is there already is a failure, and so is a parent in which others may replace it. */
    static FreshTree make(Desk desk, Failures failures, Path top) {
        FreshTree tree = new FreshTree(desk, failures, top);
        tree.doing("make directory", top, () -> {
            Walk.Spot spot = desk.walk.parentOf(top);
            if (!spot.sound() && !desk.walk.keepsOurs(spot)) {
                throw new Refusal("others may write into " + spot.directory()
                        + " and replace what is unpacked there; make it root's, or declare another path");
            }
            desk.gate.pass("mkdir", top);
            Files.createDirectory(top, Writer.ENTERED_BY_US_ALONE);
            // A setgid parent hands its group down; what is made in here must not take it over.
            desk.dress(top, OptionalInt.of(0700), OptionalInt.of(desk.self.uid()), OptionalInt.of(desk.self.gid()));
            desk.changedAt(top);
        });
        return tree;
    }

    public Path top() {
        return top;
    }

    public void directory(Path relative) {
        Path path = top.resolve(relative);
        doing("make directory", path, () -> {
            desk.gate.pass("mkdir", path);
            Files.createDirectory(path, Writer.ENTERED_BY_US_ALONE);
        });
    }

    /** A new, empty file, for this program's eyes only; the caller writes and closes it. */
    public FileChannel file(Path relative) throws IOException {
        Path path = top.resolve(relative);
        desk.gate.pass("create", path);
        return FileChannel.open(path, NEW, Writer.OURS_ALONE);
    }

    public void symlink(Path relative, String target) {
        Path path = top.resolve(relative);
        doing("make link", path, () -> {
            desk.gate.pass("symlink", path);
            Files.createSymbolicLink(path, Path.of(target));
        });
    }

    public void hardLink(Path existing, Path relative) {
        Path path = top.resolve(relative);
        doing("make link", path, () -> {
            desk.gate.pass("link", path);
            Files.createLink(path, top.resolve(existing));
        });
    }

    /** Owner, and mode where one is given; only root gives files away, for others the owner stays their own. */
    public void dress(Path relative, OptionalInt mode, int uid, int gid) {
        Path path = top.resolve(relative);
        doing("change", path, () -> own(path, mode, uid, gid));
    }

    /** fsync(2) of a file or a directory. */
    public void fsync(Path relative) {
        Path path = top.resolve(relative);
        doing("sync", path, () -> {
            desk.gate.pass("fsync", path);
            try (FileChannel channel = opened(path)) {
                channel.force(true);
            }
        });
    }

    /** A mode that keeps even the owner out, and no root: it is let in for the moment of the open, fsync(2) asks no more. */
    private FileChannel opened(Path path) throws IOException {
        try {
            return FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        } catch (AccessDeniedException closed) {
            Stat stat = Stats.lstat(path).filter(at -> !at.isLink()).orElseThrow(() -> closed);
            // chmod(2) by name, since what cannot be opened can be changed in no other way; nobody else is in this
            // tree.
            Files.setAttribute(path, "unix:mode", stat.mode() | 0400);
            try {
                return FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
            } finally {
                Files.setAttribute(path, "unix:mode", stat.mode());
            }
        }
    }

    /** The last act: from here on others may enter. */
    public void open(int mode, int uid, int gid) {
        doing("change", top, () -> {
            own(top, OptionalInt.of(mode), uid, gid);
            desk.changedAt(top);
        });
        fsync(Path.of(""));
    }

    /** What the kernel said of a write to the path, in one sentence. */
    public MachineFailure failure(Path relative, IOException cause) {
        return failures.of("write", top.resolve(relative), cause);
    }

    private void own(Path path, OptionalInt mode, int uid, int gid) throws IOException {
        boolean root = desk.self.root();
        desk.dress(
                path, mode, OptionalInt.of(root ? uid : desk.self.uid()), OptionalInt.of(root ? gid : desk.self.gid()));
    }

    private void doing(String verb, Path path, Act act) {
        try {
            act.run();
        } catch (IOException e) {
            throw failures.of(verb, path, e);
        }
    }

    private interface Act {
        void run() throws IOException;
    }
}
