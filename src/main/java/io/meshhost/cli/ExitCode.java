package io.meshhost.cli;

import io.meshhost.apply.ApplyFailure;
import io.meshhost.converge.Unreadable;
import io.meshhost.machine.ExpectedFailure;

/** The exit codes of SPEC 0, and the one place where a failure becomes one of them. */
public enum ExitCode {
    DONE(0),
    /** The work failed. */
    FAILED(1),
    /** The call is wrong, or FILE cannot be read. */
    USAGE(2),
    /** The declaration is refused. */
    REFUSED(3),
    /** {@code plan --exit-code} found pending changes. */
    PENDING(4),
    /** {@code status} only. */
    NOT_RUNNING(5),
    /** {@code status} only. */
    HALTED(6);

    private final int number;

    ExitCode(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }

    /** What the command that met this failure ends with. */
    public static ExitCode of(ExpectedFailure failure) {
        return switch (failure) {
            case CallFailure call -> call.code();
            case Unreadable unreadable -> USAGE;
            case ApplyFailure apply when apply.reason() == ApplyFailure.Reason.REFUSED -> REFUSED;
            default -> FAILED;
        };
    }
}
