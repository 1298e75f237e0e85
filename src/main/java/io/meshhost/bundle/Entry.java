package io.meshhost.bundle;

import java.nio.file.Path;
import java.util.Optional;

/**
 * One thing that an archive holds, after stripping.
 *
 * @param path relative and normal, never empty
 * @param mode permission bits 0 to 0777
 * @param size bytes of a file, else 0
 * @param link where a symbolic link points, as written in the archive
 */
public record Entry(Path path, Type type, int mode, long size, Optional<String> link) {
    /** A hard link is unpacked as a FILE that shares its inode with an earlier entry. */
    public enum Type {
        FILE,
        DIRECTORY,
        LINK
    }
}
