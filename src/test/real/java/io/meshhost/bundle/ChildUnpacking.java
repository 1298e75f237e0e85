package io.meshhost.bundle;

import io.meshhost.testing.Shell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts {@link UnpackMain} with a chosen environment and the flags that the launcher script gives. */
final class ChildUnpacking {
    private final Path dir;

    ChildUnpacking(Path dir) {
        this.dir = dir;
    }

    /**
     * @param environment as env(1) takes it, beside which there is nothing
     */
    Shell.Ended unpack(List<String> environment, Path archive, String sha256, Path into)
            throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("env", "-i"));
        words.addAll(environment);
        words.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseCompactObjectHeaders",
                "-Xmx64m",
                "-Xss512k",
                "-XX:+ExitOnOutOfMemoryError",
                "-Djava.util.logging.manager=org.jboss.logmanager.LogManager",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                UnpackMain.class.getName(),
                dir.resolve("bundles").toString(),
                archive.toUri().toString(),
                sha256,
                into.toString()));
        return Shell.run(words);
    }
}
