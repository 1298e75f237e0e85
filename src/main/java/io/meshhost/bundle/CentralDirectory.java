package io.meshhost.bundle;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The unix modes in a zip's central directory, which the JDK reads but does not show (PKWARE APPNOTE 4.3.12,
 * 4.4.15). Everything else about the zip is left to the JDK, in the same order.
 */
final class CentralDirectory {
    private static final int END_SIZE = 22;
    private static final int END = 0x06054b50;
    private static final int END_64 = 0x06064b50;
    private static final int LOCATOR_64 = 0x07064b50;
    private static final int HEADER = 0x02014b50;
    private static final int HEADER_SIZE = 46;
    private static final int UNIX = 3;
    private static final int DARWIN = 19;
    private static final long MOST_BYTES_AN_ENTRY = 512;

    private CentralDirectory() {}

    /**
     * @param host who packed it: 3 for unix
     * @param external its upper half is st_mode where unix packed it
     */
    record Attributes(int host, long external) {
        private int unix() {
            return host == UNIX || host == DARWIN ? (int) (external >>> 16) : 0;
        }

        /** st_mode's file type (inode(7)); without one, what the name says. */
        Raw.Kind kind(boolean nameOfDirectory) {
            return switch (unix() & 0170000) {
                case 0 -> nameOfDirectory ? Raw.Kind.DIRECTORY : Raw.Kind.FILE;
                case 0100000 -> nameOfDirectory ? Raw.Kind.UNKNOWN : Raw.Kind.FILE;
                case 0040000 -> Raw.Kind.DIRECTORY;
                case 0120000 -> Raw.Kind.SYMLINK;
                case 0020000, 0060000 -> Raw.Kind.DEVICE;
                case 0010000 -> Raw.Kind.FIFO;
                case 0140000 -> Raw.Kind.SOCKET;
                default -> Raw.Kind.UNKNOWN;
            };
        }

        int mode(boolean directory) {
            int mode = unix() & 07777;
            return mode != 0 ? mode : directory ? 0755 : 0644;
        }
    }

    /** @param most entries; a larger directory is refused before any of it is in memory */
    static List<Attributes> read(Path zip, int most) throws IOException {
        try (FileChannel channel = FileChannel.open(zip, StandardOpenOption.READ)) {
            Place place = place(channel);
            if (place.size > most * MOST_BYTES_AN_ENTRY / 4) {
                throw new IOException("its directory is larger than " + Sizes.of(most * MOST_BYTES_AN_ENTRY / 4));
            }
            return headers(bytes(channel, place.offset, (int) place.size));
        }
    }

    private record Place(long offset, long size) {}

    private static Place place(FileChannel channel) throws IOException {
        int tail = (int) Math.min(channel.size(), END_SIZE + 0xffff);
        long start = channel.size() - tail;
        ByteBuffer end = bytes(channel, start, tail);
        for (int at = tail - END_SIZE; at >= 0; at--) {
            if (end.getInt(at) == END && at + END_SIZE + Short.toUnsignedInt(end.getShort(at + 20)) <= tail) {
                long size = Integer.toUnsignedLong(end.getInt(at + 12));
                long offset = Integer.toUnsignedLong(end.getInt(at + 16));
                boolean large = size == 0xffffffffL || offset == 0xffffffffL;
                // What was put before the zip (a self-extractor's program) shifts every offset alike.
                return large ? large(channel, start + at) : inside(channel, start + at - size, size);
            }
        }
        throw new IOException("it has no directory at its end");
    }

    private static Place large(FileChannel channel, long end) throws IOException {
        ByteBuffer locator = bytes(channel, end - 20, 20);
        if (locator.getInt(0) != LOCATOR_64) {
            throw new IOException("its 64-bit directory is not where it should be");
        }
        ByteBuffer end64 = bytes(channel, locator.getLong(8), 56);
        if (end64.getInt(0) != END_64) {
            throw new IOException("its 64-bit directory is not where it should be");
        }
        return inside(channel, end64.getLong(48), end64.getLong(40));
    }

    private static Place inside(FileChannel channel, long offset, long size) throws IOException {
        if (size < 0 || offset < 0 || size > channel.size() - offset) {
            throw new IOException("its directory is cut off");
        }
        return new Place(offset, size);
    }

    private static List<Attributes> headers(ByteBuffer directory) throws IOException {
        List<Attributes> all = new ArrayList<>();
        int at = 0;
        while (at + HEADER_SIZE <= directory.limit() && directory.getInt(at) == HEADER) {
            all.add(new Attributes(
                    Byte.toUnsignedInt(directory.get(at + 5)), Integer.toUnsignedLong(directory.getInt(at + 38))));
            at += HEADER_SIZE
                    + Short.toUnsignedInt(directory.getShort(at + 28))
                    + Short.toUnsignedInt(directory.getShort(at + 30))
                    + Short.toUnsignedInt(directory.getShort(at + 32));
        }
        if (at != directory.limit()) {
            throw new IOException("its directory is damaged");
        }
        return all;
    }

    private static ByteBuffer bytes(FileChannel channel, long offset, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        if (offset < 0) {
            throw new IOException("it is cut short");
        }
        while (bytes.hasRemaining()) {
            if (channel.read(bytes, offset + bytes.position()) < 0) {
                throw new IOException("it is cut short");
            }
        }
        return bytes.flip();
    }
}
