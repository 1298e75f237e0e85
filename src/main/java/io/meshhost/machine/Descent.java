package io.meshhost.machine;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import io.meshhost.machine.Files.Attributes;
import io.meshhost.machine.Walk.Spot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.EnumSet;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Goes down into directories that others may swap, each opened from the one before (openat(2) with O_NOFOLLOW), and
 * works on what is open.
 */
final class Descent {
    private static final Set<PosixFilePermission> ALONE = PosixFilePermissions.fromString("rwx------");

    private Descent() {}

    /** The directory itself, whatever becomes of its path from now on. */
    static SecureDirectoryStream<Path> to(Spot spot) throws IOException {
        SecureDirectoryStream<Path> open = Trees.open(spot.anchor());
        if (spot.directory().equals(spot.anchor())) {
            return open;
        }
        for (Path name : spot.anchor().relativize(spot.directory())) {
            try (SecureDirectoryStream<Path> above = open) {
                open = above.newDirectoryStream(name, NOFOLLOW_LINKS);
            }
        }
        return open;
    }

    /** Makes a directory that only we may enter, and opens it; what is open is checked to be that. */
    static SecureDirectoryStream<Path> room(
            Desk desk, Keeper keeper, Spot spot, SecureDirectoryStream<Path> parent, Path name) throws IOException {
        makeDirectory(desk, keeper, spot, parent, name);
        SecureDirectoryStream<Path> room = parent.newDirectoryStream(name, NOFOLLOW_LINKS);
        try {
            PosixFileAttributeView view = room.getFileAttributeView(PosixFileAttributeView.class);
            dress(view, new Attributes(optional(0700), optional(desk.self.uid()), optional(desk.self.gid())));
            PosixFileAttributes now = view.readAttributes();
            boolean ours = now.owner().equals(users().lookupPrincipalByName(Integer.toString(desk.self.uid())));
            if (!ours || !now.permissions().equals(ALONE) || room.iterator().hasNext()) {
                throw new Refusal("somebody interfered in " + spot.directory() + "; apply again");
            }
            return room;
        } catch (IOException e) {
            room.close();
            throw e;
        }
    }

    /**
     * mkdirat(2) is not to be had in Java. Where the parent cannot be swapped its path will do; where it can, the
     * directory is made with the rights of the parent's owner alone, who gains nothing by leading us astray.
     */
    static void makeDirectory(Desk desk, Keeper keeper, Spot spot, SecureDirectoryStream<Path> parent, Path name)
            throws IOException {
        Path path = spot.directory().resolve(name);
        desk.gate.pass("mkdir", path);
        if (!spot.shifting() || !desk.self.root()) {
            Files.createDirectory(path, Writer.ENTERED_BY_US_ALONE);
            return;
        }
        PosixFileAttributes owner =
                parent.getFileAttributeView(PosixFileAttributeView.class).readAttributes();
        if (owner.owner().equals(users().lookupPrincipalByName("0"))) {
            throw new Refusal("others may replace the directory " + spot.directory()
                    + ", which is root's, by another; make the directories above it root's too");
        }
        keeper.makeDirectoryAs(owner.owner().getName(), owner.group().getName(), path);
    }

    /** Owner, then mode, of a name in an open directory; fchown(2) and fchmod(2) on what was opened. */
    static void dress(Desk desk, SecureDirectoryStream<Path> parent, Path name, Path shown, Attributes wanted)
            throws IOException {
        desk.gate.pass("mode", shown);
        dress(parent.getFileAttributeView(name, PosixFileAttributeView.class, NOFOLLOW_LINKS), wanted);
    }

    /** The same of the open directory itself. */
    static void dress(Desk desk, SecureDirectoryStream<Path> open, Path shown, Attributes wanted) throws IOException {
        desk.gate.pass("mode", shown);
        dress(open.getFileAttributeView(PosixFileAttributeView.class), wanted);
    }

    private static void dress(PosixFileAttributeView view, Attributes wanted) throws IOException {
        PosixFileAttributes now = view.readAttributes();
        if (wanted.uid().isPresent()) {
            var owner =
                    users().lookupPrincipalByName(Integer.toString(wanted.uid().getAsInt()));
            if (!owner.equals(now.owner())) {
                view.setOwner(owner);
            }
        }
        if (wanted.gid().isPresent()) {
            var group = users().lookupPrincipalByGroupName(
                            Integer.toString(wanted.gid().getAsInt()));
            if (!group.equals(now.group())) {
                view.setGroup(group);
            }
        }
        if (wanted.mode().isPresent()) {
            view.setPermissions(permissions(wanted.mode().getAsInt()));
        }
    }

    private static Set<PosixFilePermission> permissions(int mode) {
        Set<PosixFilePermission> set = EnumSet.noneOf(PosixFilePermission.class);
        PosixFilePermission[] fromOwnerRead = PosixFilePermission.values();
        for (int i = 0; i < fromOwnerRead.length; i++) {
            if ((mode & (0400 >> i)) != 0) {
                set.add(fromOwnerRead[i]);
            }
        }
        return set;
    }

    private static OptionalInt optional(int value) {
        return OptionalInt.of(value);
    }

    private static UserPrincipalLookupService users() {
        return Path.of("/").getFileSystem().getUserPrincipalLookupService();
    }
}
