package io.meshhost.bundle;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Decompresses on a thread of its own, a few buffers ahead of the reader, so that one core inflates
 * while another writes. Memory is bounded by the buffers.
 */
final class ReadAhead extends InputStream {
    private static final int BUFFERS = 8;
    private static final int BYTES = 128 * 1024;

    private final InputStream source;
    private final BlockingQueue<Chunk> full = new ArrayBlockingQueue<>(BUFFERS);
    private final BlockingQueue<byte[]> free = new ArrayBlockingQueue<>(BUFFERS + 2);
    private final Thread thread;

    private Chunk now = new Chunk(new byte[0], 0, null);
    private int at;

    /** Some bytes, or the end, or what ended it before its end. */
    private static final class Chunk {
        private final byte[] bytes;
        private final int length;
        private final @Nullable IOException failure;

        /** @param length of what is valid; -1 at the end */
        Chunk(byte[] bytes, int length, @Nullable IOException failure) {
            this.bytes = bytes;
            this.length = length;
            this.failure = failure;
        }
    }

    ReadAhead(InputStream source) {
        this.source = source;
        for (int i = 0; i < BUFFERS; i++) {
            free.add(new byte[BYTES]);
        }
        // A platform thread: it computes without pause, and would hold a carrier of virtual ones all the time.
        this.thread = Thread.ofPlatform().daemon().name("unpack").start(this::fill);
    }

    private void fill() {
        try {
            while (true) {
                byte[] bytes = free.take();
                Chunk chunk = next(bytes);
                full.put(chunk);
                if (chunk.length < 0) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            // The reader has closed this; nobody waits for more.
            Thread.currentThread().interrupt();
        }
    }

    private Chunk next(byte[] bytes) {
        try {
            int length = source.readNBytes(bytes, 0, bytes.length);
            return new Chunk(bytes, length == 0 ? -1 : length, null);
        } catch (IOException e) {
            return new Chunk(bytes, -1, e);
        } catch (RuntimeException e) {
            return new Chunk(bytes, -1, new IOException(String.valueOf(e.getMessage()), e));
        } catch (OutOfMemoryError e) {
            // One large window was asked for and not given; nothing else is short of memory.
            return new Chunk(bytes, -1, new IOException("it was packed with a larger window than fits into memory", e));
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int wanted) throws IOException {
        if (wanted == 0) {
            return 0;
        }
        if (at == now.length && now.length >= 0) {
            advance();
        }
        if (now.length < 0) {
            IOException failure = now.failure;
            if (failure != null) {
                throw new IOException(failure.getMessage(), failure);
            }
            return -1;
        }
        int length = Math.min(wanted, now.length - at);
        System.arraycopy(now.bytes, at, into, offset, length);
        at += length;
        return length;
    }

    private void advance() throws IOException {
        try {
            if (now.bytes.length > 0) {
                free.put(now.bytes);
            }
            now = full.take();
            at = 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    @Override
    public void close() throws IOException {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        source.close();
    }
}
