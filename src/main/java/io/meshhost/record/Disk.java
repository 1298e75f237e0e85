package io.meshhost.record;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.stream.Stream;

/** What the record needs of the file system besides SQLite's own reading and writing. */
final class Disk {
    private Disk() {}

    /** Whether the path is a file, or a directory with something in it. */
    static boolean holdsSomething(Path path) {
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
        }
        try (Stream<Path> names = Files.list(path)) {
            return names.findAny().isPresent();
        } catch (IOException e) {
            throw new RecordFailure("cannot look into " + path + ": " + reason(e) + "; run this as root", e);
        }
    }

    /** A directory that only its owner may enter; what stands above it must exist or be makeable. */
    static void makePrivateDirectory(Path directory) {
        if (Files.isDirectory(directory)) {
            return;
        }
        try {
            Path parent = directory.getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            Files.createDirectory(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            if (parent != null) {
                sync(parent);
            }
        } catch (IOException e) {
            throw new RecordFailure(
                    "cannot make the directory " + directory + ": " + reason(e) + "; make it, or run this as root", e);
        }
    }

    /** An empty file, 0600 from its first moment, in the place of whatever an interrupted attempt left. */
    static void makePrivateFile(Path file) {
        try {
            Files.deleteIfExists(file);
            FileChannel.open(
                            file,
                            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))
                    .close();
        } catch (IOException e) {
            throw new RecordFailure(
                    "cannot make the record " + file + ": " + reason(e)
                            + "; make its directory writable for this user, or run this as root",
                    e);
        }
    }

    /** A rename that is on the disk when this returns. */
    static void moveIfThere(Path from, Path to) {
        if (!Files.exists(from, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
            Path parent = to.toAbsolutePath().getParent();
            if (parent != null) {
                sync(parent);
            }
        } catch (IOException e) {
            throw new RecordFailure(
                    "cannot rename " + from + " to " + to + ": " + reason(e) + "; check the directory's owner and mode",
                    e);
        }
    }

    static void removeIfThere(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new RecordFailure(
                    "cannot remove " + file + ": " + reason(e) + "; check the directory's owner and mode", e);
        }
    }

    private static void sync(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static String reason(IOException e) {
        return switch (e) {
            case java.nio.file.AccessDeniedException denied -> "permission denied";
            case java.nio.file.NoSuchFileException gone -> "its directory does not exist";
            case java.nio.file.FileSystemException other when other.getReason() != null -> other.getReason();
            default -> String.valueOf(e.getMessage());
        };
    }
}
