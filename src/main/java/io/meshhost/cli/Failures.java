package io.meshhost.cli;

import io.meshhost.machine.ExpectedFailure;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says what went wrong, in one sentence on stderr; the stack only with -v. */
final class Failures {
    private Failures() {}

    /** A call that cannot be understood: exit 2. */
    static int call(ParameterException wrong, String[] args) {
        CommandLine line = wrong.getCommandLine();
        String name = line.getCommandSpec().qualifiedName();
        String said = String.valueOf(wrong.getMessage()).lines().findFirst().orElse("the call is wrong");
        line.getErr().println(name + ": " + lower(said) + "; see " + name + " --help");
        if (wrong instanceof UnmatchedArgumentException unmatched) {
            unmatched.getSuggestions().stream()
                    .findFirst()
                    .ifPresent(near -> line.getErr().println("did you mean " + near + "?"));
        }
        line.getErr().flush();
        return ExitCode.USAGE.number();
    }

    /** Work that did not come off. */
    static int work(Exception failure, CommandLine line, ParseResult parsed) {
        return work(failure, line.getErr(), line.getCommand() instanceof HostCommand command && command.verbose());
    }

    /** As {@link #work}, where no picocli calls it. */
    static int work(Exception failure, PrintWriter err, boolean verbose) {
        try {
            if (failure instanceof ExpectedFailure expected) {
                err.println("nox-mesh-host: " + expected.sentence());
                return ExitCode.of(expected).number();
            }
            err.println("nox-mesh-host: this is a fault of the program, please report it: " + failure
                    + (verbose ? "" : "; -v shows where"));
            return ExitCode.FAILED.number();
        } finally {
            if (verbose) {
                failure.printStackTrace(err);
            }
            err.flush();
        }
    }

    private static String lower(String said) {
        return said.isEmpty() ? said : Character.toLowerCase(said.charAt(0)) + said.substring(1);
    }
}
