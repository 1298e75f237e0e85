package io.meshhost.machine;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.OptionalLong;

/** Bytes on their way into a file, and how many there are where that is known. */
record Source(InputStream in, OptionalLong size) {
    private static final int CHUNK = 128 * 1024;

    static Source of(byte[] bytes) {
        return new Source(new ByteArrayInputStream(bytes), OptionalLong.of(bytes.length));
    }

    void into(WritableByteChannel out) throws IOException {
        byte[] chunk = new byte[Math.clamp(size.orElse(CHUNK), 1, CHUNK)];
        for (int n = next(chunk); n >= 0; n = next(chunk)) {
            ByteBuffer buffer = ByteBuffer.wrap(chunk, 0, n);
            while (buffer.hasRemaining()) {
                out.write(buffer);
            }
        }
    }

    private int next(byte[] chunk) throws Broken {
        try {
            return in.read(chunk);
        } catch (IOException | RuntimeException e) {
            throw new Broken(e);
        }
    }

    /** Reading failed, not writing: the temporary file goes, and the cause is the caller's own. */
    static final class Broken extends IOException {
        private static final long serialVersionUID = 1L;

        Broken(Exception cause) {
            super(cause);
        }

        /** Throws what the stream threw. */
        IOException rethrow() {
            if (getCause() instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            return getCause() instanceof IOException checked ? checked : this;
        }
    }
}
