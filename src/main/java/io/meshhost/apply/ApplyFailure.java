package io.meshhost.apply;

import io.meshhost.machine.ExpectedFailure;
import org.jspecify.annotations.Nullable;

/** An apply that did not take place at all; what fails within one is told by its {@link Report}. */
public final class ApplyFailure extends ExpectedFailure {
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    public ApplyFailure(Reason reason, String sentence) {
        this(reason, sentence, null);
    }

    public ApplyFailure(Reason reason, String sentence, @Nullable Throwable cause) {
        super(sentence, cause);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }

    /** REFUSED is exit status 3, the others are 1 (SPEC 0). */
    public enum Reason {
        /** A serial that goes back, a record that was lost: nothing is changed until an operator decides. */
        REFUSED,
        FAILED,
        /** Another apply is at work and did not end in time. */
        BUSY
    }
}
