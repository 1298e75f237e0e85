package io.meshhost.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.Help.Ansi;

/**
 * Where a command prints. UTF-8 whatever the locale: a report names files, and JSON is UTF-8 (RFC 8259).
 *
 * @param terminal whether a person looks: progress is shown, and the page of {@code --watch} is redrawn
 * @param colour never without a terminal, never with NO_COLOR
 */
record Console(PrintWriter out, PrintWriter err, boolean terminal, boolean colour) {
    /** Whether {@code System.console()} may be null depends on the JDK's jdk.console: so it is asked. */
    @SuppressWarnings("SystemConsoleNull")
    static Console system() {
        java.io.Console console = System.console();
        boolean terminal = console != null && console.isTerminal();
        return new Console(
                writer(FileDescriptor.out), writer(FileDescriptor.err), terminal, terminal && Ansi.AUTO.enabled());
    }

    private static PrintWriter writer(FileDescriptor descriptor) {
        return new PrintWriter(new OutputStreamWriter(new FileOutputStream(descriptor), StandardCharsets.UTF_8), true);
    }

    void lines(Iterable<String> lines) {
        lines.forEach(out::println);
        out.flush();
    }

    Paint paint() {
        return new Paint(colour);
    }
}
