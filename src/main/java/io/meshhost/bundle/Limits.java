package io.meshhost.bundle;

/**
 * What an archive may become at most, so that a bomb ends as a sentence and not as a full machine (SPEC 2).
 *
 * @param bytes of all files together
 * @param entries of all kinds, directories made on the way included
 * @param ratio bytes unpacked for each byte of the archive
 * @param freely bytes that may be unpacked whatever the ratio: small archives of zeros are harmless
 */
record Limits(long bytes, int entries, int ratio, long freely) {
    static final Limits USUAL = new Limits(64L << 30, 200_000, 250, 256L << 20);

    /** @throws BundleFailure when so many bytes are too many for an archive of that size */
    void check(String archive, long unpacked, long packed) {
        if (unpacked > bytes) {
            throw new BundleFailure("cannot unpack " + archive + ": it holds more than " + Sizes.of(bytes)
                    + "; split it, or check where it came from");
        }
        if (unpacked > freely && unpacked / ratio > packed) {
            throw new BundleFailure("cannot unpack " + archive + ": it grows to more than " + ratio
                    + " times its size, as a decompression bomb does; check where it came from");
        }
    }
}
