package io.meshhost.machine;

/**
 * What lstat(2) says of a name; links are never followed.
 *
 * @param mode permission bits with setuid, setgid and sticky, 0 to 07777
 * @param modifiedNanos st_mtim in nanoseconds since the epoch
 * @param changedNanos st_ctim in nanoseconds since the epoch: no program can set it back, so it
 *     betrays a change that mtime hides
 */
public record Stat(
        Type type,
        int mode,
        int uid,
        int gid,
        long size,
        long inode,
        long device,
        int links,
        long modifiedNanos,
        long changedNanos) {

    /** Kinds of file that the host tells apart; {@code OTHER} is a device node, a socket or a fifo. */
    public enum Type {
        FILE,
        DIRECTORY,
        LINK,
        OTHER
    }

    public boolean isFile() {
        return type == Type.FILE;
    }

    public boolean isDirectory() {
        return type == Type.DIRECTORY;
    }

    public boolean isLink() {
        return type == Type.LINK;
    }
}
