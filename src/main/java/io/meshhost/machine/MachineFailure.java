package io.meshhost.machine;

import org.jspecify.annotations.Nullable;

/** The machine would not do what was asked of it: a full disk, a read-only or immutable target, a command that failed. */
public final class MachineFailure extends ExpectedFailure {
    private static final long serialVersionUID = 1L;

    public MachineFailure(String sentence) {
        super(sentence, null);
    }

    public MachineFailure(String sentence, @Nullable Throwable cause) {
        super(sentence, cause);
    }
}
