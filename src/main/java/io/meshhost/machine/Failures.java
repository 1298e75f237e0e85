package io.meshhost.machine;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * Turns what the kernel said into one sentence: cannot VERB PATH: reason; next step (SPEC 0, errors).
 *
 * <p>The JDK hands on strerror(3)'s words; every start script sets {@code LC_ALL=C.UTF-8}, so they are English.
 */
final class Failures {
    private final Attributes attributes;

    /** Asked only after a failure, since it starts a program. */
    @FunctionalInterface
    interface Attributes {
        /** "immutable" or "append-only", else empty. */
        String of(Path path);
    }

    Failures(Attributes attributes) {
        this.attributes = attributes;
    }

    MachineFailure of(String verb, Path path, IOException cause) {
        return of(verb, path, cause, OptionalLong.empty());
    }

    /**
     * @param needs bytes that were to be written, where known
     */
    MachineFailure of(String verb, Path path, IOException cause, OptionalLong needs) {
        return new MachineFailure("cannot " + verb + " " + path + ": " + reason(path, cause, needs), cause);
    }

    String reason(Path path, IOException cause) {
        return reason(path, cause, OptionalLong.empty());
    }

    /** Whether strerror's words are the given ones. */
    static boolean is(IOException failure, String words) {
        String said = failure instanceof FileSystemException detailed ? detailed.getReason() : failure.getMessage();
        return said != null && said.contains(words);
    }

    private String reason(Path path, IOException cause, OptionalLong needs) {
        return switch (cause) {
            case Refusal refusal -> refusal.reason();
            case AccessDeniedException denied ->
                "permission denied" + at(path, denied) + "; run as root, or as its owner";
            case NoSuchFileException absent -> "it does not exist" + at(path, absent);
            case DirectoryNotEmptyException full -> "the directory is not empty" + at(path, full);
            case FileAlreadyExistsException there -> "something is there already" + at(path, there);
            case AtomicMoveNotSupportedException across ->
                "the two places are on different file systems; keep both on one";
            case NotLinkException plain -> "it is not a link";
            default -> spoken(path, cause, needs);
        };
    }

    private String spoken(Path path, IOException cause, OptionalLong needs) {
        if (is(cause, "No space left")) {
            return "the disk is full" + space(path, needs) + "; free some space and apply again";
        }
        if (is(cause, "quota exceeded")) {
            return "the disk quota is used up" + space(path, needs) + "; free some space and apply again";
        }
        if (is(cause, "Read-only file system")) {
            return "the file system is read-only; remount it read-write, or declare another path";
        }
        if (is(cause, "Operation not permitted")) {
            return notPermitted(path);
        }
        if (is(cause, "resource busy")) {
            return Mounts.isMountPoint(path)
                    ? "it is a mount point and cannot be replaced; unmount it, or declare another path"
                    : "it is in use by the kernel (a mount point in another namespace, or a swap file)";
        }
        return rest(path, cause);
    }

    private static String rest(Path path, IOException cause) {
        if (is(cause, "File name too long")) {
            return "a name in it is longer than the 255 bytes, or the path longer than the 4095, that Linux allows";
        }
        if (is(cause, "Too many levels of symbolic links")) {
            return "it is a symbolic link, or links on the way to it lead in a circle";
        }
        if (is(cause, "Is a directory")) {
            return "it is a directory";
        }
        if (is(cause, "Not a directory")) {
            return "something on the way to it is not a directory";
        }
        String said = cause instanceof FileSystemException detailed ? detailed.getReason() : cause.getMessage();
        return Objects.requireNonNullElse(said, "the kernel gave no reason") + fileOf(path, cause);
    }

    private String notPermitted(Path path) {
        Path parent = path.getParent();
        for (Path asked : parent == null ? new Path[] {path} : new Path[] {path, parent}) {
            String attribute = attributes.of(asked);
            if (!attribute.isEmpty()) {
                String letter = attribute.equals("immutable") ? "i" : "a";
                return asked + " has the attribute " + letter + " (" + attribute + "); take it away with chattr -"
                        + letter + " " + asked;
            }
        }
        return "the operation is not permitted here; only root may do it, and not on every file system";
    }

    private static String space(Path path, OptionalLong needs) {
        long has = Looking.freeSpace(path);
        return needs.isPresent()
                ? ": it needs " + needs.getAsLong() + " bytes and has " + has
                : " (" + has + " bytes left)";
    }

    private static String at(Path path, FileSystemException cause) {
        return fileOf(path, cause);
    }

    private static String fileOf(Path path, IOException cause) {
        if (cause instanceof FileSystemException detailed) {
            String file = detailed.getFile();
            if (file != null && !file.equals(path.toString()) && file.startsWith("/") && !Temporary.isOurs(file)) {
                return " (" + file + ")";
            }
        }
        return "";
    }
}
