package io.meshhost.cli;

import io.meshhost.machine.ExpectedFailure;
import org.jspecify.annotations.Nullable;

/** The call itself cannot be served: a file that cannot be read, a host in the way, a declaration that is refused. */
final class CallFailure extends ExpectedFailure {
    private static final long serialVersionUID = 1L;

    private final ExitCode code;

    private CallFailure(ExitCode code, String sentence, @Nullable Throwable cause) {
        super(sentence, cause);
        this.code = code;
    }

    /** Exit 2. */
    static CallFailure usage(String sentence) {
        return new CallFailure(ExitCode.USAGE, sentence, null);
    }

    /** Exit 3. */
    static CallFailure refused(String sentence) {
        return new CallFailure(ExitCode.REFUSED, sentence, null);
    }

    ExitCode code() {
        return code;
    }
}
