package io.meshhost.bundle;

import io.meshhost.machine.Progress;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Hashes what passes; at its end, bytes that are not those declared become a failure, and so get no name. */
final class Hashed extends Passing {
    private final MessageDigest digest;
    private final String wanted;
    private final String what;
    private final Progress progress;
    private final long size;
    private long done;
    private boolean judged;

    Hashed(Opened opened, String wanted, String what, Progress progress) {
        super(opened.bytes());
        this.wanted = wanted;
        this.what = what;
        this.progress = progress;
        this.size = opened.size().orElse(-1);
        try {
            this.digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        int read = in.read(into, offset, length);
        if (read > 0) {
            digest.update(into, offset, read);
            done += read;
            progress.at(what, done, size);
        } else if (read < 0) {
            atEnd();
        }
        return read;
    }

    /** The end may be met twice; reading a digest resets it. */
    private void atEnd() throws IOException {
        if (judged) {
            return;
        }
        if (size >= 0 && done < size) {
            throw new IOException("it ended after " + done + " of " + size + " bytes");
        }
        judged = true;
        String got = HexFormat.of().formatHex(digest.digest());
        if (!got.equals(wanted)) {
            throw new WrongBytes.WhileReading(new WrongBytes(wanted, got));
        }
    }
}
