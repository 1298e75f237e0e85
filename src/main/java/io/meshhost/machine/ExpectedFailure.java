package io.meshhost.machine;

import org.jspecify.annotations.Nullable;

/**
 * A failure that an operator can mend: one sentence that says what was wrong, where, and what to do.
 *
 * <p>Each room extends it with its own. Anything else that is thrown is a bug and is logged with its
 * stack; this is printed as its sentence alone (DESIGN.md, Errors).
 */
public abstract class ExpectedFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    protected ExpectedFailure(String sentence, @Nullable Throwable cause) {
        super(sentence, cause);
    }

    /** The sentence for the operator, without a trailing newline. */
    public String sentence() {
        return String.valueOf(getMessage());
    }
}
