package io.meshhost.machine;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import io.meshhost.machine.Files.Attributes;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Writes a file on sound ground: aside, owner and mode, fsync, rename.
 *
 * <p>Failure model: cut at any instruction, the name has the old content or the new, whole, with the
 * old owner and mode or the new; beside it there may be one thing of a known name, which the next write or a sweep removes.
 *
 * <p>A file that is replaced hands on its ACL and extended attributes. The JDK's copy carries them without a program being
 * started; the copy is made in a directory that only we may enter, so that nobody whom the old mode let in has the
 * file open when the new content arrives.
 */
final class Writer {
    /** Above it, copying the old bytes only to carry the attributes costs more than starting cp. */
    private static final long CHEAP_COPY = 64 * 1024;

    static final FileAttribute<Set<PosixFilePermission>> OURS_ALONE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    static final FileAttribute<Set<PosixFilePermission>> ENTERED_BY_US_ALONE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private final Desk desk;
    private final Trees trees;
    private final Keeper keeper;

    Writer(Desk desk, Trees trees, Keeper keeper) {
        this.desk = desk;
        this.trees = trees;
        this.keeper = keeper;
    }

    void write(Path real, Source content, Attributes wanted) throws IOException {
        Optional<Stat> old = desk.replaceable(real).filter(Stat::isFile);
        Path temporary = Temporary.beside(real);
        trees.delete(temporary);
        try {
            if (old.isPresent()) {
                replace(real, temporary, old.get(), content, wanted);
            } else {
                OptionalInt mode = OptionalInt.of(wanted.mode().orElse(0644));
                fill(real, temporary, content, mode, wanted.uid(), wanted.gid(), CREATE_NEW);
            }
        } catch (IOException e) {
            clear(temporary, e);
            throw e;
        }
        desk.changedAt(real);
    }

    private void replace(Path real, Path room, Stat old, Source content, Attributes wanted) throws IOException {
        desk.gate.pass("mkdir", room);
        Files.createDirectory(room, ENTERED_BY_US_ALONE);
        Path inside = Temporary.inside(room);
        desk.gate.pass("copy", inside);
        if (old.size() <= CHEAP_COPY) {
            Files.copy(real, inside, COPY_ATTRIBUTES, NOFOLLOW_LINKS);
        } else {
            keeper.copyAttributes(real, inside);
        }
        desk.gate.pass("mode", inside);
        // The copy may be read-only even for its owner, who then could not fill it.
        Files.setAttribute(inside, "unix:mode", 0600, NOFOLLOW_LINKS);
        OptionalInt mode = OptionalInt.of(wanted.mode().orElse(old.mode()));
        OptionalInt uid = OptionalInt.of(wanted.uid().orElse(old.uid()));
        OptionalInt gid = OptionalInt.of(wanted.gid().orElse(old.gid()));
        fill(real, inside, content, mode, uid, gid, TRUNCATE_EXISTING);
        desk.gate.pass("rmdir", room);
        Files.delete(room);
    }

    private void fill(
            Path real,
            Path temporary,
            Source content,
            OptionalInt mode,
            OptionalInt uid,
            OptionalInt gid,
            OpenOption how)
            throws IOException {
        desk.gate.pass("create", temporary);
        try (FileChannel out = FileChannel.open(temporary, Set.of(WRITE, how, NOFOLLOW_LINKS), OURS_ALONE)) {
            desk.gate.pass("write", temporary);
            content.into(out);
            desk.dress(temporary, mode, uid, gid);
            desk.gate.pass("fsync", temporary);
            out.force(true);
        }
        desk.gate.pass("rename", real);
        Files.move(temporary, real, ATOMIC_MOVE);
    }

    private void clear(Path temporary, IOException failure) {
        try {
            trees.delete(temporary);
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }
}
