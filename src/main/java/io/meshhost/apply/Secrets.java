package io.meshhost.apply;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** How a secret is known where it may not be shown. */
final class Secrets {
    /** How the digest of a secret begins, wherever the record holds one. */
    static final String KEYED = "keyed-";

    private Secrets() {}

    /** HMAC-SHA256 (RFC 2104) of the content's digest, marked so that it is never taken for a plain one. */
    static String keyed(byte[] key, String sha256) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return KEYED + HexFormat.of().formatHex(mac.doFinal(sha256.getBytes(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException absent) {
            throw new IllegalStateException("every Java has HmacSHA256", absent);
        }
    }
}
