package io.meshhost.bundle;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A stream of which every byte passes {@link #read(byte[], int, int)}. */
abstract class Passing extends FilterInputStream {
    Passing(InputStream in) {
        super(in);
    }

    @Override
    public final int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public abstract int read(byte[] into, int offset, int length) throws IOException;
}
