package io.meshhost.machine;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.READ;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/** What {@link io.meshhost.machine.Files} reads. Nothing here changes anything, and no last name is followed. */
final class Looking {
    private Looking() {}

    /** UnixPath compares bytes, so the order is the same under every locale. */
    static List<Path> list(Path directory) throws IOException {
        List<Path> names = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            stream.forEach(names::add);
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (DirectoryIteratorException e) {
            // A damaged directory fails in mid-listing, and not as an IOException.
            throw e.getCause();
        }
        Collections.sort(names);
        return names;
    }

    static byte[] read(Path path, long limit) throws IOException {
        try (InputStream in = open(path)) {
            return all(in, limit);
        }
    }

    static byte[] all(InputStream in, long limit) throws IOException {
        int most = (int) Math.min(limit, Integer.MAX_VALUE - 16L);
        byte[] bytes = in.readNBytes(most);
        if (in.read() >= 0) {
            throw new Refusal("it is larger than " + limit + " bytes");
        }
        return bytes;
    }

    /** Looked at before it is opened: opening a fifo would wait for a writer that never comes. */
    static InputStream open(Path path) throws IOException {
        Stat stat = Stats.lstat(path).orElseThrow(() -> new NoSuchFileException(path.toString()));
        if (!stat.isFile()) {
            throw new Refusal("it is not a regular file");
        }
        return Channels.newInputStream(Files.newByteChannel(path, Set.of(READ, NOFOLLOW_LINKS)));
    }

    static List<Path> missingParents(Path root, Path path) throws IOException {
        List<Path> missing = new ArrayList<>();
        for (Path at = path.getParent(); at != null && !at.equals(root); at = at.getParent()) {
            if (Stats.lstat(at).isPresent()) {
                break;
            }
            missing.add(at);
        }
        Collections.reverse(missing);
        return missing;
    }

    /** Of the nearest directory that exists. Root may also use the blocks that are reserved for it. */
    static long freeSpace(Path path) {
        for (Path at = path; at != null; at = at.getParent()) {
            if (Files.exists(at)) {
                return Self.read().root()
                        ? at.toFile().getFreeSpace()
                        : at.toFile().getUsableSpace();
            }
        }
        return 0;
    }
}
