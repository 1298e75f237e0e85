package io.meshhost.machine;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Optional;

/** lstat(2) by way of the JDK's {@code unix} attribute view: one system call a name. */
final class Stats {
    private static final String WANTED = "unix:mode,uid,gid,size,ino,dev,nlink,lastModifiedTime,ctime";
    private static final int TYPE_MASK = 0170000;
    private static final int REGULAR = 0100000;
    private static final int DIRECTORY = 0040000;
    private static final int SYMLINK = 0120000;

    private Stats() {}

    /** Empty where there is nothing, or where something on the way is no directory. */
    static Optional<Stat> find(Path path, LinkOption... options) throws IOException {
        try {
            return Optional.of(of(Files.readAttributes(path, WANTED, options)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (FileSystemException e) {
            if (Failures.is(e, "Not a directory")) {
                return Optional.empty();
            }
            throw e;
        }
    }

    static Optional<Stat> lstat(Path path) throws IOException {
        return find(path, LinkOption.NOFOLLOW_LINKS);
    }

    private static Stat of(Map<String, Object> seen) {
        int mode = (int) number(seen, "mode");
        return new Stat(
                type(mode & TYPE_MASK),
                mode & 07777,
                (int) number(seen, "uid"),
                (int) number(seen, "gid"),
                number(seen, "size"),
                number(seen, "ino"),
                number(seen, "dev"),
                (int) number(seen, "nlink"),
                nanos(seen, "lastModifiedTime"),
                nanos(seen, "ctime"));
    }

    private static Stat.Type type(int bits) {
        return switch (bits) {
            case REGULAR -> Stat.Type.FILE;
            case DIRECTORY -> Stat.Type.DIRECTORY;
            case SYMLINK -> Stat.Type.LINK;
            default -> Stat.Type.OTHER;
        };
    }

    private static long number(Map<String, Object> seen, String key) {
        return seen.get(key) instanceof Number number ? number.longValue() : 0;
    }

    private static long nanos(Map<String, Object> seen, String key) {
        return seen.get(key) instanceof FileTime time ? time.to(NANOSECONDS) : 0;
    }
}
