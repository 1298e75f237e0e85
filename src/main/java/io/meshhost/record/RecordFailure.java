package io.meshhost.record;

import io.meshhost.machine.ExpectedFailure;
import org.jspecify.annotations.Nullable;

/** The record cannot be read or written. */
public final class RecordFailure extends ExpectedFailure {
    private static final long serialVersionUID = 1L;

    public RecordFailure(String sentence, @Nullable Throwable cause) {
        super(sentence, cause);
    }
}
