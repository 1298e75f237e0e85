package io.meshhost.machine;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Removes trees by way of open directories (unlinkat(2)): a directory that is swapped for a link while we are in it
 * leads nowhere else.
 */
final class Trees {
    private static final Set<PosixFilePermission> OWNERS = EnumSet.of(
            PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    private final Gate gate;
    private final Self self;

    Trees(Gate gate, Self self) {
        this.gate = gate;
        this.self = self;
    }

    /** Whatever stands at a path whose parent cannot be swapped; nothing where there is nothing. */
    void delete(Path real) throws IOException {
        if (Stats.lstat(real).isEmpty()) {
            return;
        }
        Path parent = real.getParent();
        if (parent == null) {
            throw new Refusal("it is the root directory");
        }
        try (SecureDirectoryStream<Path> open = open(parent)) {
            delete(open, Walk.name(real), real);
        }
    }

    /** What an interrupted write of the target left; nothing where its directory is not there, or not to be walked to. */
    void sweep(Desk desk, Path target) throws IOException {
        Path left;
        try {
            left = Temporary.of(desk.walk.parentOf(target), target);
        } catch (Refusal refusal) {
            return;
        }
        if (Stats.lstat(left).isPresent()) {
            delete(left);
            desk.changedAt(left);
        }
    }

    /** The caller closes it. */
    @SuppressWarnings("StreamResourceLeak")
    static SecureDirectoryStream<Path> open(Path directory) throws IOException {
        DirectoryStream<Path> stream = Files.newDirectoryStream(directory);
        if (stream instanceof SecureDirectoryStream<Path> secure) {
            return secure;
        }
        stream.close();
        throw new Refusal("this kernel has no openat(2)");
    }

    /**
     * @param shown where it is, for the probe
     */
    void delete(SecureDirectoryStream<Path> parent, Path name, Path shown) throws IOException {
        try {
            if (isDirectory(parent, name)) {
                empty(parent, name, shown);
                gate.pass("rmdir", shown);
                parent.deleteDirectory(name);
            } else {
                gate.pass("unlink", shown);
                parent.deleteFile(name);
            }
        } catch (NoSuchFileException e) {
            // Somebody was faster; it is gone, which is what was asked for.
            return;
        }
    }

    /** After a failure, which stays the one that is told. */
    void clear(SecureDirectoryStream<Path> parent, Path path, IOException failure) {
        try {
            delete(parent, Walk.name(path), path);
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    static boolean isDirectory(SecureDirectoryStream<Path> parent, Path name) throws IOException {
        return parent.getFileAttributeView(name, BasicFileAttributeView.class, NOFOLLOW_LINKS)
                .readAttributes()
                .isDirectory();
    }

    private void empty(SecureDirectoryStream<Path> parent, Path name, Path shown) throws IOException {
        if (!self.root()) {
            makeWritable(parent, name);
        }
        try (SecureDirectoryStream<Path> open = Descent.enter(parent, name)) {
            // The names first: removing while reading may skip some.
            List<Path> names = new ArrayList<>();
            open.forEach(child -> names.add(Walk.name(child)));
            for (Path child : names) {
                delete(open, child, shown.resolve(child));
            }
        }
    }

    /** Archives hold read-only directories, which their owner could not empty otherwise. */
    private static void makeWritable(SecureDirectoryStream<Path> parent, Path name) throws IOException {
        PosixFileAttributeView view = parent.getFileAttributeView(name, PosixFileAttributeView.class, NOFOLLOW_LINKS);
        if (!view.readAttributes().permissions().containsAll(OWNERS)) {
            view.setPermissions(OWNERS);
        }
    }
}
