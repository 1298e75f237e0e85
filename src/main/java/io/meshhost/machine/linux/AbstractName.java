package io.meshhost.machine.linux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An abstract unix socket (unix(7)) that nobody connects to: its name is held as a lock, without a file, until the process
 * ends however that happens.
 */
public final class AbstractName implements AutoCloseable {
    private static final Path PROC = Path.of("/proc");
    /** proc_net(5), unix: the seventh word is the inode, the eighth the name. */
    private static final int INODE = 6;

    private final Libc libc;
    private final int descriptor;

    private AbstractName(Libc libc, int descriptor) {
        this.libc = libc;
        this.descriptor = descriptor;
    }

    /** Empty when it cannot be had; {@link #held} tells whether somebody else is why. */
    public static Optional<AbstractName> hold(String name) {
        Libc libc = new Libc();
        int descriptor = libc.socket(Libc.SOCK_STREAM);
        if (descriptor >= 0 && libc.bind(descriptor, "@" + name)) {
            return Optional.of(new AbstractName(libc, descriptor));
        }
        if (descriptor >= 0) {
            libc.close(descriptor);
        }
        return Optional.empty();
    }

    /** Whether anybody has it, this process included. */
    public static boolean held(String name) {
        return inode(name).isPresent();
    }

    /** The pid of who has it; empty when nobody does, or one whom we cannot see. */
    public static OptionalLong holder(String name) {
        Optional<String> socket = inode(name).map(inode -> "socket:[" + inode + "]");
        if (socket.isEmpty()) {
            return OptionalLong.empty();
        }
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[1-9]*")) {
            for (Path process : processes) {
                if (opens(process.resolve("fd"), socket.get())) {
                    return OptionalLong.of(Long.parseLong(process.getFileName().toString()));
                }
            }
        } catch (IOException | DirectoryIteratorException unreadable) {
            return OptionalLong.empty();
        }
        return OptionalLong.empty();
    }

    private static boolean opens(Path descriptors, String socket) {
        try (DirectoryStream<Path> links = Files.newDirectoryStream(descriptors)) {
            for (Path link : links) {
                if (Files.readSymbolicLink(link).toString().equals(socket)) {
                    return true;
                }
            }
        } catch (IOException | DirectoryIteratorException endedOrNotOurs) {
            return false;
        }
        return false;
    }

    private static Optional<String> inode(String name) {
        try {
            // Others may give their sockets names of any bytes.
            return Files.readAllLines(PROC.resolve("net/unix"), StandardCharsets.ISO_8859_1).stream()
                    .map(line -> List.of(line.trim().split("\\s+", -1)))
                    .filter(words -> words.size() > INODE + 1 && words.getLast().equals("@" + name))
                    .map(words -> words.get(INODE))
                    .findFirst();
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        libc.close(descriptor);
    }
}
