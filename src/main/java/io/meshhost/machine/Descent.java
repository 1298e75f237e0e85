package io.meshhost.machine;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import io.meshhost.machine.Files.Attributes;
import io.meshhost.machine.Walk.Spot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/**
 * Goes down into directories that others may swap, each opened from the one before (openat(2), no link followed), and
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
                open = enter(above, name);
            }
        }
        return open;
    }

    /**
     * Opens a directory in an open one. The dot at the end makes the kernel refuse everything else: a fifo that is put
     * there at the last moment would otherwise be opened, too, and wait for a writer that never comes. The caller closes it.
     */
    @SuppressWarnings("StreamResourceLeak")
    static SecureDirectoryStream<Path> enter(SecureDirectoryStream<Path> above, Path name) throws IOException {
        SecureDirectoryStream<Path> open = above.newDirectoryStream(name.resolve("."));
        try {
            // It lets a link be followed, too: so what is open must be what stands at the name.
            Object stands = above.getFileAttributeView(name, BasicFileAttributeView.class, NOFOLLOW_LINKS)
                    .readAttributes()
                    .fileKey();
            Object opened = open.getFileAttributeView(BasicFileAttributeView.class)
                    .readAttributes()
                    .fileKey();
            if (!Objects.equals(stands, opened)) {
                throw new Refusal("somebody put something else at the name " + name + " meanwhile; apply again");
            }
            return open;
        } catch (IOException e) {
            open.close();
            throw e;
        }
    }

    /**
     * Makes a directory that only we may enter, and opens it; what is open is checked to be that.
     *
     * <p>It is made in the last directory on the way that nobody else can replace, for mkdirat(2) is not to be had in Java
     * and a path through the others may lead anywhere. From there it, or what is in it, goes on by renameat(2).
     */
    static SecureDirectoryStream<Path> room(Desk desk, SecureDirectoryStream<Path> anchor, Path room)
            throws IOException {
        desk.gate.pass("mkdir", room);
        Files.createDirectory(room, Writer.ENTERED_BY_US_ALONE);
        SecureDirectoryStream<Path> open = enter(anchor, Walk.name(room));
        try {
            PosixFileAttributeView view = open.getFileAttributeView(PosixFileAttributeView.class);
            PosixFileAttributes now = view.readAttributes();
            if (!belongs(now, desk.self.uid())
                    || !now.permissions().equals(ALONE)
                    || open.iterator().hasNext()) {
                throw new Refusal("somebody put something else at " + room + " while it was made; apply again");
            }
            return open;
        } catch (IOException e) {
            open.close();
            throw e;
        }
    }

    static boolean belongs(PosixFileAttributes of, int uid) throws IOException {
        return of.owner().equals(users().lookupPrincipalByName(Integer.toString(uid)));
    }

    static boolean inGroup(PosixFileAttributes of, int gid) throws IOException {
        return of.group().equals(users().lookupPrincipalByGroupName(Integer.toString(gid)));
    }

    /** Owner, then mode, of a name in an open directory that only we may enter: each looks the name up anew. */
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
            int uid = wanted.uid().getAsInt();
            if (!belongs(now, uid)) {
                view.setOwner(users().lookupPrincipalByName(Integer.toString(uid)));
            }
        }
        if (wanted.gid().isPresent()) {
            int gid = wanted.gid().getAsInt();
            if (!inGroup(now, gid)) {
                view.setGroup(users().lookupPrincipalByGroupName(Integer.toString(gid)));
            }
        }
        if (wanted.mode().isPresent()) {
            view.setPermissions(permissions(wanted.mode().getAsInt()));
        }
    }

    static Set<PosixFilePermission> permissions(int mode) {
        Set<PosixFilePermission> set = EnumSet.noneOf(PosixFilePermission.class);
        PosixFilePermission[] fromOwnerRead = PosixFilePermission.values();
        for (int i = 0; i < fromOwnerRead.length; i++) {
            if ((mode & (0400 >> i)) != 0) {
                set.add(fromOwnerRead[i]);
            }
        }
        return set;
    }

    private static UserPrincipalLookupService users() {
        return Path.of("/").getFileSystem().getUserPrincipalLookupService();
    }
}
