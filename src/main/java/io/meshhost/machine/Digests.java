package io.meshhost.machine;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256, which every JDK has. */
final class Digests {
    private static final int CHUNK = 128 * 1024;

    private Digests() {}

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("a Java without SHA-256", e);
        }
    }

    static String sha256(InputStream in) throws IOException {
        MessageDigest digest = sha256();
        byte[] chunk = new byte[CHUNK];
        for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
            digest.update(chunk, 0, n);
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
