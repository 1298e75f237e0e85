package io.meshhost.bundle;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.commons.compress.archivers.tar.TarUtils;

/**
 * Looks at the blocks before an entry for what the library's answer no longer shows: leading slashes that it took
 * off a long name, and names that are not UTF-8, which it reads as Latin-1.
 */
final class TarHeaders {
    private static final int BLOCK = 512;
    private static final int KIND = 156;

    private final byte[] blocks;
    private boolean nameGiven;
    private boolean linkGiven;

    private TarHeaders(byte[] blocks) {
        this.blocks = blocks;
    }

    /**
     * @param blocks the headers of one entry, extended ones first
     * @param from where the first block begins
     * @return why the entry may not be unpacked
     */
    static Optional<String> fault(byte[] blocks, int from) {
        try {
            return new TarHeaders(blocks).faultFrom(from);
        } catch (IllegalArgumentException e) {
            // A size that is no number: the library has judged it, or read it in another way that it vouches for.
            return Optional.empty();
        }
    }

    private Optional<String> faultFrom(int from) {
        int at = from;
        while (at + BLOCK <= blocks.length) {
            byte kind = blocks[at + KIND];
            if (kind != 'x' && kind != 'g' && kind != 'L' && kind != 'K') {
                return faultOfHeader(at);
            }
            long size = TarUtils.parseOctalOrBinary(blocks, at + 124, 12);
            if (size < 0 || size > blocks.length - at - BLOCK) {
                return Optional.empty();
            }
            if (isAbsolute(kind, at + BLOCK, (int) size)) {
                return Optional.of("it is absolute");
            }
            at += BLOCK + (int) ((size + BLOCK - 1) / BLOCK * BLOCK);
        }
        return Optional.empty();
    }

    private boolean isAbsolute(byte kind, int at, int size) {
        nameGiven |= kind == 'L';
        linkGiven |= kind == 'K';
        if (kind == 'L') {
            return size > 0 && blocks[at] == '/';
        }
        if (kind == 'K') {
            return false;
        }
        String records = new String(blocks, at, size, StandardCharsets.ISO_8859_1);
        nameGiven |= records.contains(" path=") || records.contains(" GNU.sparse.name=");
        linkGiven |= records.contains(" linkpath=");
        return records.contains(" path=/") || records.contains(" GNU.sparse.name=/");
    }

    /** A name that is also given at length may be cut here in the midst of a character. */
    private Optional<String> faultOfHeader(int at) {
        boolean ustar = new String(blocks, at + 257, 6, StandardCharsets.ISO_8859_1).equals("ustar\0");
        boolean name = nameGiven || (utf8(at, 100) && (!ustar || utf8(at + 345, 155)));
        boolean link = linkGiven || utf8(at + 157, 100);
        return name && link ? Optional.empty() : Optional.of("its name holds a NUL or is not UTF-8");
    }

    private boolean utf8(int at, int most) {
        int length = 0;
        while (length < most && blocks[at + length] != 0) {
            length++;
        }
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(blocks, at, length));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
