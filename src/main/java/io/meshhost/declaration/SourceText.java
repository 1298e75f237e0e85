package io.meshhost.declaration;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Bytes to text, refusing what one reader would take otherwise than the next: UTF-8 without BOM and NUL, nothing else. */
final class SourceText {
    /** A declaration of 10,000 files is about 2 MB; what is ten times that is not a declaration. */
    static final int MAX_BYTES = 16 << 20;

    /** Levels of lists and objects; a declaration needs seven. */
    static final int MAX_DEPTH = 64;

    private SourceText() {}

    static String decode(byte[] bytes) throws Unreadable {
        if (bytes.length > MAX_BYTES) {
            throw new Unreadable(
                    Place.root(1, 1),
                    "the declaration has " + bytes.length + " bytes; at most " + MAX_BYTES + " (16 MiB) are read");
        }
        if (startsWith(bytes, 0xEF, 0xBB, 0xBF)) {
            throw new Unreadable(
                    Place.root(1, 1), "the file begins with a byte order mark; save it as UTF-8 without one");
        }
        if (startsWith(bytes, 0xFE, 0xFF) || startsWith(bytes, 0xFF, 0xFE)) {
            throw new Unreadable(Place.root(1, 1), "the file is UTF-16; save it as UTF-8");
        }
        String text = utf8(bytes);
        int nul = text.indexOf('\0');
        if (nul >= 0) {
            throw new Unreadable(new Cursor(text).at(nul), "the file holds a NUL byte; remove it");
        }
        if (text.isBlank()) {
            throw new Unreadable(
                    Place.root(1, 1), "the file is empty; write a declaration, at least {\"modules\": []}");
        }
        return text;
    }

    private static String utf8(byte[] bytes) throws Unreadable {
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        CharBuffer out = CharBuffer.allocate(bytes.length);
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CoderResult result = decoder.decode(in, out, true);
        String text = out.flip().toString();
        if (result.isError()) {
            throw new Unreadable(
                    new Cursor(text).at(text.length()),
                    "byte " + in.position() + " of the file is not UTF-8; save the file as UTF-8");
        }
        return text;
    }

    private static boolean startsWith(byte[] bytes, int... first) {
        if (bytes.length < first.length) {
            return false;
        }
        for (int i = 0; i < first.length; i++) {
            if ((bytes[i] & 0xFF) != first[i]) {
                return false;
            }
        }
        return true;
    }

    /** Turns offsets that only grow into lines and columns, in one walk: a minified file is one line of 2 MB. */
    static final class Cursor {
        private final String text;
        private int offset;
        private int line = 1;
        private int column = 1;

        Cursor(String text) {
            this.text = text;
        }

        /** The place of the char offset, without a pointer. */
        Place at(long target) {
            int end = (int) Math.min(target, text.length());
            while (offset < end) {
                step(text.charAt(offset));
            }
            return Place.root(line, column);
        }

        private void step(char c) {
            offset++;
            boolean lineEnd = c == '\n' || (c == '\r' && (offset == text.length() || text.charAt(offset) != '\n'));
            if (lineEnd) {
                line++;
                column = 1;
            } else if (!Character.isLowSurrogate(c)) {
                column++;
            }
        }
    }
}
