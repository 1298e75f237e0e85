package io.meshhost.bundle;

import io.airlift.compress.v3.zstd.ZstdInputStream;
import io.meshhost.machine.Progress;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarUtils;
import org.tukaani.xz.MemoryLimitException;
import org.tukaani.xz.XZInputStream;

/**
 * An archive file, its kind told by its first bytes and never by its name.
 *
 * @param path where it lies
 * @param size its bytes
 */
record Archive(Path path, long size, Format format) {
    private static final int BLOCK = 512;
    private static final int INPUT_BUFFER = 128 * 1024;

    enum Format {
        TAR,
        GZIP,
        ZSTD,
        XZ,
        ZIP
    }

    String name() {
        return path.toString();
    }

    /** @throws BundleFailure when it is nothing that can be unpacked */
    static Archive open(Path path) {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            ByteBuffer head = ByteBuffer.allocate(BLOCK);
            while (head.hasRemaining() && channel.read(head) >= 0) {
                // A short read is no end of the file.
            }
            return new Archive(path, channel.size(), sniff(path, head.array(), head.position()));
        } catch (IOException e) {
            throw unreadable(path, e);
        }
    }

    static BundleFailure unreadable(Path path, IOException e) {
        String reason = e instanceof java.nio.file.NoSuchFileException ? "it does not exist" : e.getMessage();
        return new BundleFailure("cannot unpack " + path + ": " + reason + "; check the path and its owner", e);
    }

    private static Format sniff(Path path, byte[] head, int length) {
        if (starts(head, 0x1f, 0x8b)) {
            return Format.GZIP;
        }
        // A zstd file may begin with a frame that decoders skip (RFC 8878, 3.1.2).
        boolean skippable = (head[0] & 0xf0) == 0x50 && starts(head, head[0], 0x2a, 0x4d, 0x18);
        if (skippable || starts(head, 0x28, 0xb5, 0x2f, 0xfd)) {
            return Format.ZSTD;
        }
        if (starts(head, 0xfd, '7', 'z', 'X', 'Z', 0)) {
            return Format.XZ;
        }
        if (starts(head, 'P', 'K', 3, 4) || starts(head, 'P', 'K', 5, 6)) {
            return Format.ZIP;
        }
        if (length == BLOCK && (allZero(head) || isTarHeader(head))) {
            return Format.TAR;
        }
        throw new BundleFailure("cannot unpack " + path
                + ": it is neither a tar (plain, gzip, zstd or xz) nor a zip archive; pack it as one of these");
    }

    private static boolean starts(byte[] head, int... magic) {
        for (int i = 0; i < magic.length; i++) {
            if (head[i] != (byte) magic[i]) {
                return false;
            }
        }
        return true;
    }

    private static boolean isTarHeader(byte[] head) {
        try {
            return TarUtils.verifyCheckSum(head);
        } catch (IllegalArgumentException e) {
            // What stands where the sum would be is no number.
            return false;
        }
    }

    // An empty tar begins with its end.
    private static boolean allZero(byte[] head) {
        for (byte b : head) {
            if (b != 0) {
                return false;
            }
        }
        return true;
    }

    // Reads it from end to end. Whatever it holds, the only failures are BundleFailures, and the visitor's.
    void read(Limits limits, Progress progress, Visitor visitor) {
        try {
            if (format == Format.ZIP) {
                new ZipReader(this, limits, progress).read(visitor);
            } else {
                readTar(limits, progress, visitor);
            }
        } catch (IOException e) {
            throw new BundleFailure(
                    "cannot unpack " + path + ": it is damaged or cut short ("
                            + Layout.printable(String.valueOf(e.getMessage())) + "); fetch or pack it again",
                    e);
        }
    }

    private void readTar(Limits limits, Progress progress, Visitor visitor) throws IOException {
        try (InputStream tar = decompressed(progress)) {
            new TarReader(this, limits, tar).read(visitor);
        }
    }

    private InputStream decompressed(Progress progress) throws IOException {
        InputStream raw = new Counted(
                new BufferedInputStream(
                        Channels.newInputStream(FileChannel.open(path, StandardOpenOption.READ)), INPUT_BUFFER),
                progress);
        try {
            return switch (format) {
                case TAR, ZIP -> raw;
                case GZIP -> new ReadAhead(new GZIPInputStream(raw, INPUT_BUFFER));
                case ZSTD -> new ReadAhead(new ZstdInputStream(raw));
                case XZ -> new ReadAhead(xz(raw));
            };
        } catch (IOException e) {
            raw.close();
            throw e;
        }
    }

    private static InputStream xz(InputStream raw) throws IOException {
        int kib = (int) Math.min(Integer.MAX_VALUE, Runtime.getRuntime().maxMemory() / 2 / 1024);
        InputStream xz = new XZInputStream(raw, kib);
        return new FilterInputStream(xz) {
            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                try {
                    return super.read(into, offset, length);
                } catch (MemoryLimitException e) {
                    throw new IOException(
                            "it was packed so that unpacking needs " + Sizes.of(e.getMemoryNeeded() * 1024L)
                                    + " of memory; xz -6 needs 9 MiB",
                            e);
                }
            }
        };
    }

    // Tells how far it is.
    private final class Counted extends FilterInputStream {
        private final Progress progress;
        private long done;

        Counted(InputStream in, Progress progress) {
            super(in);
            this.progress = progress;
        }

        @Override
        public int read() throws IOException {
            int read = super.read();
            done += read < 0 ? 0 : 1;
            return read;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int read = super.read(into, offset, length);
            if (read > 0) {
                done += read;
                progress.at("unpacking " + path.getFileName(), done, size);
            }
            return read;
        }
    }
}
