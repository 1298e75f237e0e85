package io.meshhost.machine;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import io.meshhost.machine.Files.Attributes;
import io.meshhost.machine.Walk.Spot;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Writes a file into a directory that others may write, or may even swap for another.
 *
 * <p>The temporary file lies in a directory of our own in theirs (or above it, where theirs may be swapped). Both are held open, and the rename goes from the one to the
 * other by descriptor (renameat(2)), so nobody can slip another file under the name between our chown and our rename, or
 * have us write elsewhere.
 */
final class SharedWriter {
    private static final Path NEW = Path.of("new");

    private final Desk desk;
    private final Trees trees;
    private final Keeper keeper;

    SharedWriter(Desk desk, Trees trees, Keeper keeper) {
        this.desk = desk;
        this.trees = trees;
        this.keeper = keeper;
    }

    void write(Spot spot, Path name, Source content, Attributes wanted) throws IOException {
        Path real = spot.directory().resolve(name);
        Optional<Stat> old = desk.replaceable(real).filter(Stat::isFile);
        int mode = wanted.mode().orElse(old.map(stat -> stat.mode() & 0777).orElse(0644));
        if ((mode & 07000) != 0) {
            throw new Refusal("setuid, setgid and sticky are not set in a directory that others may write; " + "make "
                    + spot.directory() + " root's, or declare a mode without them");
        }
        if (old.isPresent()) {
            keeper.refuseExtras(real);
        }
        OptionalInt uid = or(wanted.uid(), old.map(Stat::uid));
        OptionalInt gid = or(wanted.gid(), old.map(Stat::gid));
        Path room = Temporary.of(spot, real);
        Attributes all = new Attributes(OptionalInt.of(mode), uid, gid);
        try (SecureDirectoryStream<Path> anchor = Trees.open(spot.anchor());
                SecureDirectoryStream<Path> open = Descent.to(spot)) {
            trees.delete(anchor, Walk.name(room), room);
            try {
                fill(anchor, room, open, real, content, all);
            } catch (IOException e) {
                trees.clear(anchor, room, e);
                throw e;
            }
        }
    }

    private static OptionalInt or(OptionalInt wanted, Optional<Integer> kept) {
        return wanted.isPresent() || kept.isEmpty() ? wanted : OptionalInt.of(kept.get());
    }

    private void fill(
            SecureDirectoryStream<Path> anchor,
            Path room,
            SecureDirectoryStream<Path> open,
            Path real,
            Source content,
            Attributes attributes)
            throws IOException {
        Path shown = Temporary.inside(room);
        try (SecureDirectoryStream<Path> inside = Descent.room(desk, anchor, room)) {
            desk.gate.pass("create", shown);
            try (SeekableByteChannel out =
                    inside.newByteChannel(NEW, Set.of(WRITE, CREATE_NEW, NOFOLLOW_LINKS), Writer.OURS_ALONE)) {
                desk.gate.pass("write", shown);
                content.into(out);
                Descent.dress(desk, inside, NEW, shown, attributes);
                desk.gate.pass("fsync", shown);
                force(out);
            }
            desk.gate.pass("rename", real);
            inside.move(NEW, open, Walk.name(real));
        }
        desk.gate.pass("rmdir", room);
        anchor.deleteDirectory(Walk.name(room));
        sync(open, real);
    }

    /** At once and by descriptor: the path may lead elsewhere by the time of the batch. */
    private void sync(SecureDirectoryStream<Path> open, Path real) throws IOException {
        desk.gate.pass("fsync-dir", real);
        try (SeekableByteChannel directory = open.newByteChannel(Path.of("."), Set.of(READ))) {
            force(directory);
        }
    }

    private static void force(SeekableByteChannel channel) throws IOException {
        if (channel instanceof FileChannel file) {
            file.force(true);
        } else {
            throw new Refusal("this Java cannot fsync what it opened");
        }
    }
}
