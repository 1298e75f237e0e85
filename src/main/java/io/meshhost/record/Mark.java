package io.meshhost.record;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * What is seen of the database without opening it; equal means that nobody wrote in between.
 *
 * @param there whether there is a file
 * @param log whether SQLite's log stands beside it: a writer is at work, or was killed
 * @param modified nanoseconds since the epoch
 * @param inode device and inode: a database put in the place of another is another
 */
record Mark(boolean there, boolean log, long size, long modified, Object inode) {
    static final Mark NONE = new Mark(false, false, 0, 0, "");

    static Mark of(Path file) {
        try {
            BasicFileAttributes seen = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return new Mark(
                    true,
                    Files.exists(Database.suffixed(file, "-wal"), LinkOption.NOFOLLOW_LINKS),
                    seen.size(),
                    seen.lastModifiedTime().to(TimeUnit.NANOSECONDS),
                    Objects.requireNonNullElse(seen.fileKey(), ""));
        } catch (NoSuchFileException e) {
            return NONE;
        } catch (IOException e) {
            throw new RecordFailure(
                    "cannot look at the record " + file + ": " + e.getMessage() + "; run this as root", e);
        }
    }
}
