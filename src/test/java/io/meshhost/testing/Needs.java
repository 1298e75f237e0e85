package io.meshhost.testing;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * What a test needs of the machine. Where it is missing the test is skipped and says so on a line of its
 * own, which the continuous integration looks for: there everything is present and a skip is a failure.
 */
public final class Needs {
    private Needs() {}

    /** A program in one of the usual system directories. */
    public static Path command(String name) {
        List<Path> found = Stream.of("/usr/local/bin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/sbin", "/sbin")
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .toList();
        that(!found.isEmpty(), "the program " + name);
        return found.getFirst();
    }

    public static void root() {
        that(uid() == 0, "root");
    }

    /** A systemd that is PID 1 here, as src/test/real/with-systemd makes one. */
    public static void systemd() {
        that(Files.isDirectory(Path.of("/run/systemd/system")), "systemd as PID 1");
    }

    /** Skips the test that asks unless the condition holds. */
    public static void that(boolean condition, String what) {
        if (!condition) {
            System.out.println("SKIPPED: needs " + what);
        }
        Assumptions.assumeTrue(condition, "needs " + what);
    }

    private static int uid() {
        try {
            return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
