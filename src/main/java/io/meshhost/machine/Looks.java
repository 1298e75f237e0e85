package io.meshhost.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Questions that never fail: for one who must go on whatever the disk says. */
public final class Looks {
    private Looks() {}

    /** As test -x says of a regular file; links are followed. */
    public static boolean executable(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }

    /** The path with all links resolved; as it is where there is nothing. */
    public static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            return path;
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
