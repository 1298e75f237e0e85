package io.meshhost.bundle;

import io.meshhost.machine.ExpectedFailure;
import org.jspecify.annotations.Nullable;

/** A bundle cannot be had or may not be unpacked: wrong bytes, no answer, no space, an entry that climbs out. */
public final class BundleFailure extends ExpectedFailure {
    private static final long serialVersionUID = 1L;

    public BundleFailure(String sentence) {
        super(sentence, null);
    }

    public BundleFailure(String sentence, @Nullable Throwable cause) {
        super(sentence, cause);
    }
}
