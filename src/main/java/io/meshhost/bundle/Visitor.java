package io.meshhost.bundle;

import java.io.IOException;
import java.io.InputStream;

/** Told of each entry of an archive, in its order. */
interface Visitor {
    /**
     * @param content the bytes of a file, to be read to their end; empty for anything else
     */
    void entry(Raw raw, InputStream content) throws IOException;
}
