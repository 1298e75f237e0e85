package io.meshhost.machine;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;

import io.meshhost.machine.Files.Attributes;
import io.meshhost.machine.Walk.Spot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What changes names and attributes but writes no content, on ground that cannot be swapped.
 *
 * <p>Each is one system call on the last name, and none of these follows a link there.
 */
final class Changer {
    private final Desk desk;
    private final Trees trees;

    Changer(Desk desk, Trees trees) {
        this.desk = desk;
        this.trees = trees;
    }

    /**
     * Whether what stands at the name stays there while it is looked at and changed by path. In a sticky directory of ours
     * that holds for our own directories, as long as they are not given away.
     */
    boolean fixed(Spot spot, Path real, OptionalInt uid) throws IOException {
        if (spot.sound()) {
            return true;
        }
        if (!desk.walk.keepsOurs(spot) || (uid.isPresent() && !desk.walk.ours(uid.getAsInt()))) {
            return false;
        }
        Optional<Stat> there = Stats.lstat(real);
        return there.isEmpty()
                || there.filter(is -> is.isDirectory() && desk.walk.ours(is.uid()))
                        .isPresent();
    }

    /** Made closed, opened last: between the two nobody enters who should not. */
    void makeDirectory(Path real, Attributes wanted) throws IOException {
        Optional<Stat> there = Stats.lstat(real);
        if (there.isPresent()) {
            if (!there.get().isDirectory()) {
                throw new Refusal("something else is there; remove it, or declare another path");
            }
            return;
        }
        desk.gate.pass("mkdir", real);
        Files.createDirectory(real, Writer.ENTERED_BY_US_ALONE);
        int special = Stats.lstat(real).map(Stat::mode).orElse(0) & 02000;
        desk.dress(real, OptionalInt.of(wanted.mode().orElse(0755 | special)), wanted.uid(), wanted.gid());
        desk.changedAt(real);
    }

    void change(Path real, Attributes wanted) throws IOException {
        if (wanted.mode().isPresent() && Stats.lstat(real).filter(Stat::isLink).isPresent()) {
            throw new Refusal("it is a symbolic link, which has no mode of its own");
        }
        desk.dress(real, wanted.mode(), wanted.uid(), wanted.gid());
        desk.walk.forget();
        desk.changedAt(real);
    }

    void move(Path from, Path to) throws IOException {
        desk.gate.pass("rename", to);
        Files.move(from, to, ATOMIC_MOVE);
        renamed(from, to);
    }

    void renamed(Path from, Path to) {
        desk.walk.forget();
        desk.changedAt(to);
        desk.changedAt(from);
    }

    void delete(Path real) throws IOException {
        if (Stats.lstat(real).isEmpty()) {
            return;
        }
        desk.gate.pass("unlink", real);
        Files.deleteIfExists(real);
        removed(real);
    }

    void deleteTree(Path real) throws IOException {
        refuseMounts(real);
        trees.delete(real);
        removed(real);
    }

    /** What is mounted below belongs to somebody else, and would be emptied before the mount point itself refuses. */
    static void refuseMounts(Path real) throws IOException {
        List<Path> mounts = Mounts.below(real);
        if (!mounts.isEmpty()) {
            throw new Refusal(mounts.getFirst() + " in it is a mount point; unmount it first");
        }
        if (Mounts.isMountPoint(real)) {
            throw new Refusal("it is a mount point; unmount it first");
        }
    }

    void removed(Path real) {
        desk.walk.forget();
        desk.changedAt(real);
    }

    void symlink(Path name, String target) throws IOException {
        desk.gate.pass("symlink", name);
        Files.createSymbolicLink(name, Path.of(target));
        desk.walk.forget();
        desk.changedAt(name);
    }

    /** For the callers that need more than a name: whether the spot is one where plain paths are safe. */
    static void refuse(Spot spot, Path target) throws IOException {
        if (spot.shifting()) {
            throw new Refusal("others may replace the directory " + spot.directory() + " on the way to "
                    + Walk.name(target) + "; make it root's, or declare another path");
        }
    }
}
