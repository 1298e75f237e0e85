package io.meshhost.converge;

import io.meshhost.machine.ExpectedFailure;
import org.jspecify.annotations.Nullable;

/** A declaration that cannot be read, or may not be trusted: exit 2, nothing is known of what it says. */
public final class Unreadable extends ExpectedFailure {
    private static final long serialVersionUID = 1L;

    public Unreadable(String sentence, @Nullable Throwable cause) {
        super(sentence, cause);
    }
}
