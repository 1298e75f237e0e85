package io.meshhost.bundle;

import io.meshhost.machine.Progress;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Enumeration;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Reads a zip by its central directory; what stands before a file's bytes is not believed (APPNOTE 4.3). */
final class ZipReader {
    private static final int MOST_LINK_BYTES = 4_096;

    private final Archive archive;
    private final Limits limits;
    private final Progress progress;

    ZipReader(Archive archive, Limits limits, Progress progress) {
        this.archive = archive;
        this.limits = limits;
        this.progress = progress;
    }

    void read(Visitor visitor) throws IOException {
        // Before the JDK reads the whole directory into memory.
        List<CentralDirectory.Attributes> attributes = CentralDirectory.read(archive.path(), limits.entries());
        try (ZipFile zip = new ZipFile(archive.path().toFile(), ZipFile.OPEN_READ, StandardCharsets.UTF_8)) {
            int at = 0;
            long total = 0;
            Enumeration<? extends ZipEntry> entries = zip.entries();
            while (entries.hasMoreElements()) {
                ZipEntry entry = entries.nextElement();
                if (at == attributes.size()) {
                    throw new IOException("its directory has more entries than it says");
                }
                total += Math.max(0, entry.getSize());
                limits.check(archive.name(), total, archive.size());
                visit(zip, entry, attributes.get(at++), visitor);
                progress.at("unpacking " + archive.path().getFileName(), at, attributes.size());
            }
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new IOException("its directory makes no sense: " + e.getMessage(), e);
        }
    }

    private static void visit(ZipFile zip, ZipEntry entry, CentralDirectory.Attributes is, Visitor visitor)
            throws IOException {
        Raw.Kind kind = is.kind(entry.isDirectory());
        if (kind == Raw.Kind.SYMLINK) {
            try (InputStream in = content(zip, entry)) {
                byte[] target = in.readNBytes(MOST_LINK_BYTES);
                String link = new String(target, StandardCharsets.UTF_8);
                visitor.entry(new Raw(entry.getName(), kind, is.mode(false), 0, link, false), nothing());
            }
        } else if (kind == Raw.Kind.FILE) {
            try (InputStream in = content(zip, entry)) {
                Raw raw = new Raw(entry.getName(), kind, is.mode(false), entry.getSize(), "", false);
                visitor.entry(raw, in);
                in.transferTo(java.io.OutputStream.nullOutputStream());
            }
        } else {
            visitor.entry(new Raw(entry.getName(), kind, is.mode(true), 0, "", false), nothing());
        }
    }

    private static InputStream nothing() {
        return new ByteArrayInputStream(new byte[0]);
    }

    private static InputStream content(ZipFile zip, ZipEntry entry) throws IOException {
        InputStream in = zip.getInputStream(entry);
        if (in == null || entry.getSize() < 0) {
            throw new IOException("the entry " + entry.getName() + " has no content");
        }
        return new Checked(in, entry);
    }

    /** The JDK's ZipFile checks neither sum nor size of what it gives. */
    private static final class Checked extends CheckedInputStream {
        private final ZipEntry entry;
        private long left;

        Checked(InputStream in, ZipEntry entry) {
            super(in, new CRC32());
            this.entry = entry;
            this.left = entry.getSize();
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int read = super.read(into, offset, length);
            if (read > 0) {
                left -= read;
            }
            boolean wrongSum = read < 0 && getChecksum().getValue() != entry.getCrc();
            if (left < 0 || (read < 0 && left > 0) || wrongSum) {
                throw new IOException("the entry " + entry.getName() + " is not what the directory says of it");
            }
            return read;
        }
    }
}
