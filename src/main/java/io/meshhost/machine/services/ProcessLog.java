package io.meshhost.machine.services;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;

/**
 * What a process prints: one file up to a size, and the one before it. No line is worth a stop of the process:
 * where the disk takes nothing, it is lost.
 */
final class ProcessLog {
    static final int LINES = 50;
    private static final int TAIL = 64 * 1024;
    private final Path file;
    private final Path old;
    private final long cap;

    /**
     * @param cap bytes of one file; both together never hold more than twice that
     */
    ProcessLog(Path file, Path old, long cap) {
        this.file = file;
        this.old = old;
        this.cap = cap;
    }

    /** Appends; a piece larger than the cap leaves its end only. */
    synchronized void append(byte[] bytes, int length) {
        int from = (int) Math.max(0, length - cap);
        try {
            if (size(file) + length - from > cap) {
                Files.move(file, old, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            }
            // The output may hold anything, secrets too: nobody else reads it.
            try (FileChannel channel = FileChannel.open(
                    file,
                    Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
                ByteBuffer buffer = ByteBuffer.wrap(bytes, from, length - from);
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
            }
        } catch (IOException e) {
            // A full disk must not block the process on its own output.
            return;
        }
    }

    /** The last 50 lines, newest last. */
    synchronized List<String> lastLines() {
        String text = tail(old) + tail(file);
        List<String> lines = text.lines().toList();
        return List.copyOf(lines.subList(Math.max(0, lines.size() - LINES), lines.size()));
    }

    private static String tail(Path path) {
        try (FileChannel channel = FileChannel.open(path, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            long from = Math.max(0, channel.size() - TAIL);
            ByteBuffer buffer = ByteBuffer.allocate((int) (channel.size() - from));
            // Less may come than was said: the file can be moved away in between.
            int read = 0;
            while (buffer.hasRemaining() && read >= 0) {
                read = channel.read(buffer, from + buffer.position());
            }
            return new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    private static long size(Path path) {
        try {
            return Files.readAttributes(
                            path, java.nio.file.attribute.BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .size();
        } catch (IOException e) {
            return 0;
        }
    }
}
