package io.meshhost.record;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.util.OSInfo;

/**
 * Where SQLite's native library is loaded from.
 *
 * <p>Left to itself the driver unpacks it into {@code java.io.tmpdir}: any user could put another file
 * there first, and many machines mount it {@code noexec}. So it is taken from a directory that only its
 * owner may enter, or from beside a native executable (NATIVE.md 6).
 */
public final class NativeLibrary {
    private static final String NAME = "libsqlitejdbc.so";

    private NativeLibrary() {}

    /**
     * Puts the library into the directory unless it is there, and tells the driver of it. Does nothing on
     * the disk from the second time on.
     *
     * @param ownDirectory made with mode 0700 if it is missing; its parent must belong to us
     * @throws RecordFailure when the directory is another's or others may write to it
     */
    public static void prepare(Path ownDirectory) {
        Path from = besideExecutable().orElseGet(() -> unpacked(ownDirectory));
        System.setProperty("org.sqlite.lib.path", from.toString());
        // The driver's second attempt, should the first fail (noexec): never in a place of everybody's.
        System.setProperty("org.sqlite.tmpdir", from.toString());
    }

    /** The library is there and the system would not load it. */
    static RecordFailure notLoaded(Path ownDirectory, Throwable cause) {
        return new RecordFailure(
                "cannot load SQLite's library from "
                        + System.getProperty("org.sqlite.lib.path", ownDirectory.toString())
                        + ": " + cause.getMessage()
                        + "; see that its file system is not mounted noexec, or move the state directory",
                cause);
    }

    private static Optional<Path> besideExecutable() {
        return ProcessHandle.current()
                .info()
                .command()
                .map(Path::of)
                .map(Path::getParent)
                .filter(directory -> Files.isRegularFile(directory.resolve(NAME)));
    }

    private static Path unpacked(Path ownDirectory) {
        // A directory for each version of the driver: an upgrade never replaces a library that is mapped.
        Path directory = ownDirectory.resolve("sqlite-" + SQLiteJDBCLoader.getVersion());
        Path library = directory.resolve(NAME);
        if (!Files.exists(library, LinkOption.NOFOLLOW_LINKS)) {
            Disk disk = new Disk();
            disk.makePrivateDirectory(ownDirectory);
            checkOurs(ownDirectory);
            disk.makePrivateDirectory(directory);
            unpack(library, disk);
        }
        checkOurs(ownDirectory);
        checkOurs(directory);
        checkOurs(library);
        return directory;
    }

    private static void unpack(Path library, Disk disk) {
        String resource = "/org/sqlite/native/" + OSInfo.getNativeLibFolderPathForCurrentOS() + "/" + NAME;
        try (InputStream in = resource(resource)) {
            disk.writePrivateFile(library, in);
        } catch (IOException e) {
            throw new RecordFailure(
                    "cannot unpack SQLite's library to " + library + ": " + e.getMessage()
                            + "; see that the file system has 2 MB left",
                    e);
        }
    }

    private static InputStream resource(String name) {
        @Nullable InputStream in = SQLiteJDBCLoader.class.getResourceAsStream(name);
        if (in == null) {
            throw new RecordFailure(
                    "cannot load SQLite: this program holds no " + name + " and none stands beside it;" + " put " + NAME
                            + " into the directory of the executable",
                    null);
        }
        return in;
    }

    /** A library that another user could write would run as root. */
    private static void checkOurs(Path path) {
        try {
            PosixFileAttributes is = Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            Object self = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
            Object owner = Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
            boolean ours = owner.equals(self) || owner.equals(0);
            Set<PosixFilePermission> others = PosixFilePermissions.fromString("----w--w-");
            others.retainAll(is.permissions());
            if (!ours || is.isSymbolicLink() || !others.isEmpty()) {
                throw new RecordFailure(
                        "cannot load SQLite's library from " + path
                                + ": another user than root or this one may change it; remove it, it is made again",
                        null);
            }
        } catch (IOException e) {
            throw new RecordFailure("cannot look at " + path + ": " + e.getMessage() + "; check its owner", e);
        }
    }
}
