package io.meshhost.machine;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.READ;

import io.meshhost.machine.Walk.Spot;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.util.Set;

/**
 * Reads, as root, a file that may lie where others write: a link of theirs, at its name or on the way, could lead to what
 * only root may read, and is not followed. Links that are root's own are.
 */
public final class UntrustedFile {
    private static final int MOST_LINKS = 40;

    private UntrustedFile() {}

    /** @throws MachineFailure when it is larger than the limit, absent, no regular file, or behind a link of somebody else's */
    public static byte[] read(Path file, long limit) {
        try (InputStream in = open(file)) {
            return Looking.all(in, limit);
        } catch (IOException e) {
            throw new Failures(path -> "").of("read", file, e);
        }
    }

    private static InputStream open(Path file) throws IOException {
        // What others may change is judged anew each time.
        Walk walk = new Walk(Path.of("/"), Self.read());
        Path at = file.toAbsolutePath().normalize();
        for (int links = 0; links <= MOST_LINKS; links++) {
            Spot spot = walk.parentOf(at);
            Path real = spot.at(at);
            Stat stat = Stats.lstat(real).orElseThrow(() -> new NoSuchFileException(file.toString()));
            switch (stat.type()) {
                case FILE -> {
                    return spot.sound() ? Looking.open(real) : openIn(spot, Walk.name(real));
                }
                case LINK -> at = followed(walk, spot, real, stat);
                case DIRECTORY, OTHER -> throw new Refusal("it is not a regular file");
            }
        }
        throw new Refusal("links on the way to it lead in a circle");
    }

    private static Path followed(Walk walk, Spot spot, Path link, Stat stat) throws IOException {
        if (!spot.sound() || !walk.ours(stat.uid())) {
            throw new Refusal("the link " + link
                    + " is not followed, because somebody other than root owns it or may replace it");
        }
        return spot.directory().resolve(Files.readSymbolicLink(link)).normalize();
    }

    private static InputStream openIn(Spot spot, Path name) throws IOException {
        try (SecureDirectoryStream<Path> directory = Descent.to(spot)) {
            return Channels.newInputStream(directory.newByteChannel(name, Set.of(READ, NOFOLLOW_LINKS)));
        }
    }
}
