package io.meshhost.machine;

import java.io.IOException;

/** A reason of ours, in words, on its way to become a {@link MachineFailure}: what follows "cannot write PATH: ". */
final class Refusal extends IOException {
    private static final long serialVersionUID = 1L;

    Refusal(String reason) {
        super(reason);
    }

    String reason() {
        return String.valueOf(getMessage());
    }
}
