package io.meshhost.machine;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;

/** Questions that never fail: for one who must go on whatever the disk says. */
public final class Looks {
    private Looks() {}

    /** As test -x says of a regular file; links are followed. */
    public static boolean executable(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }

    /** Whether anything has that name, a link to nothing included. */
    public static boolean there(Path path) {
        return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
    }

    /** The path with all links resolved; as it is where there is nothing. */
    public static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            return path;
        }
    }

    /** What the process was started with, NAME=VALUE each; nothing where we may not know. */
    public static List<String> environment(long pid) {
        try {
            return List.of(new String(Files.readAllBytes(Path.of("/proc", Long.toString(pid), "environ")), UTF_8)
                    .split("\0", -1));
        } catch (IOException e) {
            return List.of();
        }
    }

    /** Whether that process runs as the user that we run as. */
    public static boolean ours(long pid) {
        try {
            return Stats.lstat(Path.of("/proc", Long.toString(pid)))
                    .filter(stat -> stat.uid() == Self.read().uid())
                    .isPresent();
        } catch (IOException e) {
            return false;
        }
    }

    /** What is in the directory, in byte order; a directory that cannot be read is noted and counts as empty. */
    public static List<Path> names(Path directory, List<String> notes) {
        try {
            return Looking.list(directory);
        } catch (IOException e) {
            notes.add(directory + " cannot be read: " + e.getMessage());
            return List.of();
        }
    }
}
