package io.meshhost.bundle;

import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveStructSparse;
import org.apache.commons.compress.archivers.tar.TarConstants;

/**
 * Reads a tar: ustar, pax and GNU, sparse files too (POSIX pax(1); GNU tar manual, "Basic Tar Format").
 *
 * <p>The library below keeps a name's bytes in memory whatever their number, and takes leading slashes off
 * long names. So the headers are watched as they pass: bounded, and looked at ({@link TarHeaders}).
 */
final class TarReader {
    private static final int BLOCK = 512;
    private static final int RECORD = 20 * BLOCK;
    /** Long names, pax records and the map of one sparse file. */
    private static final int MOST_HEADER_BYTES = 4 << 20;

    private final Archive archive;
    private final Watched in;

    TarReader(Archive archive, Limits limits, InputStream in) {
        this.archive = archive;
        this.in = new Watched(in, archive, limits);
    }

    void read(Visitor visitor) throws IOException {
        // Closed by the caller, who opened what is below.
        TarArchiveInputStream tar = new TarArchiveInputStream(in, RECORD, BLOCK, "UTF-8");
        InputStream content = new Content(tar);
        while (true) {
            TarArchiveEntry entry = next(tar);
            if (entry == null) {
                break;
            }
            if (!entry.isCheckSumOK()) {
                throw new IOException("a header's checksum is wrong");
            }
            if (entry.getLinkFlag() == 'V') {
                continue;
            }
            Raw raw = raw(entry);
            visitor.entry(raw, content);
            content.skip(Long.MAX_VALUE);
        }
        in.beginContent();
        if (in.total < BLOCK) {
            throw new IOException("there is nothing in it");
        }
        // The check sums of what it was compressed with come last.
        in.transferTo(java.io.OutputStream.nullOutputStream());
    }

    private @org.jspecify.annotations.Nullable TarArchiveEntry next(TarArchiveInputStream tar) throws IOException {
        in.beginHeader();
        TarArchiveEntry entry;
        try {
            entry = tar.getNextEntry();
        } catch (RuntimeException e) {
            rethrowOurs(e);
            throw new IOException("a header makes no sense: " + e.getMessage(), e);
        }
        Optional<String> fault = entry == null ? Optional.empty() : in.fault();
        if (fault.isPresent()) {
            throw Layout.refused(archive.name(), entry.getName(), fault.get());
        }
        in.beginContent();
        return entry;
    }

    private static void rethrowOurs(RuntimeException e) {
        if (e instanceof BundleFailure ours) {
            throw ours;
        }
    }

    private Raw raw(TarArchiveEntry entry) throws IOException {
        boolean sparse = entry.isSparse();
        if (sparse) {
            checkMap(entry);
        }
        Raw.Kind kind = kind(entry);
        long size = kind != Raw.Kind.FILE ? 0 : sparse ? entry.getRealSize() : entry.getSize();
        if (size < 0) {
            throw new IOException("a size is below zero");
        }
        return new Raw(entry.getName(), kind, entry.getMode(), size, entry.getLinkName(), sparse);
    }

    private static Raw.Kind kind(TarArchiveEntry entry) {
        return switch (entry.getLinkFlag()) {
            // Before POSIX a directory was a file whose name ends in a slash.
            case TarConstants.LF_NORMAL, TarConstants.LF_OLDNORM, TarConstants.LF_CONTIG ->
                entry.getName().endsWith("/") ? Raw.Kind.DIRECTORY : Raw.Kind.FILE;
            case TarConstants.LF_GNUTYPE_SPARSE -> Raw.Kind.FILE;
            case TarConstants.LF_LINK -> Raw.Kind.HARDLINK;
            case TarConstants.LF_SYMLINK -> Raw.Kind.SYMLINK;
            case TarConstants.LF_DIR, 'D' -> Raw.Kind.DIRECTORY;
            case TarConstants.LF_CHR, TarConstants.LF_BLK -> Raw.Kind.DEVICE;
            case TarConstants.LF_FIFO -> Raw.Kind.FIFO;
            default -> Raw.Kind.UNKNOWN;
        };
    }

    /** The blocks lie in order inside the file, and the archive holds as many bytes as they claim. */
    private static void checkMap(TarArchiveEntry entry) throws IOException {
        long end = 0;
        long bytes = 0;
        List<TarArchiveStructSparse> map = entry.getOrderedSparseHeaders();
        for (TarArchiveStructSparse block : map) {
            long offset = block.getOffset();
            long length = block.getNumbytes();
            if (offset < end || length < 0 || offset > entry.getRealSize() - length) {
                throw new IOException("the map of the sparse file " + entry.getName() + " makes no sense");
            }
            end = offset + length;
            bytes += length;
        }
        if (bytes > entry.getSize()) {
            throw new IOException("the map of the sparse file " + entry.getName() + " claims bytes that are not there");
        }
    }

    /** What the current entry holds; the library's own surprises are damage. */
    private static final class Content extends FilterInputStream {
        private final byte[] skipped = new byte[64 * 1024];

        Content(InputStream in) {
            super(in);
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            try {
                return in.read(into, offset, length);
            } catch (RuntimeException e) {
                rethrowOurs(e);
                throw new IOException("an entry makes no sense: " + e.getMessage(), e);
            }
        }

        /** To the end of the entry. */
        @Override
        public long skip(long wanted) throws IOException {
            long done = 0;
            for (int n = read(skipped, 0, skipped.length); n >= 0; n = read(skipped, 0, skipped.length)) {
                done += n;
            }
            return done;
        }
    }

    /** Counts what passes, and keeps the headers of the entry that is being read. */
    private static final class Watched extends Passing {
        private final Archive archive;
        private final Limits limits;
        private final ByteArrayOutputStream header = new ByteArrayOutputStream();
        private boolean inHeader;
        private int padding;
        private long total;

        Watched(InputStream in, Archive archive, Limits limits) {
            super(in);
            this.archive = archive;
            this.limits = limits;
        }

        void beginHeader() {
            header.reset();
            // The last entry was read to its end, and not yet what fills its last block.
            padding = (int) ((BLOCK - total % BLOCK) % BLOCK);
            inHeader = true;
        }

        void beginContent() {
            inHeader = false;
        }

        /** Why the entry whose headers passed may not be unpacked. */
        Optional<String> fault() {
            return TarHeaders.fault(header.toByteArray(), padding);
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int read = in.read(into, offset, length);
            if (read > 0) {
                total += read;
                limits.check(archive.name(), total, archive.size());
                if (inHeader) {
                    header.write(into, offset, read);
                    if (header.size() > MOST_HEADER_BYTES) {
                        throw new IOException(
                                "the headers of one entry are larger than " + Sizes.of(MOST_HEADER_BYTES));
                    }
                }
            }
            return read;
        }

        @Override
        public long skip(long wanted) throws IOException {
            int read = read(new byte[(int) Math.min(wanted, 8192)]);
            return Math.max(read, 0);
        }
    }
}
