package io.meshhost.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The whole command line in this process, on a machine of paper. */
abstract class CommandLineFixture {
    static final Instant NOW = Instant.parse("2026-11-29T03:00:00Z");

    @TempDir
    Path dir;

    final StringWriter out = new StringWriter();
    final StringWriter err = new StringWriter();
    Path file = Path.of("unset");
    FakeHost host = new FakeHost(Path.of("unset"));

    @BeforeEach
    void machine() throws IOException {
        file = Files.writeString(dir.resolve("d.yaml"), "modules: []\n");
        host = new FakeHost(dir);
    }

    int run(String... args) {
        Console console = new Console(new PrintWriter(out, true), new PrintWriter(err, true), false, false);
        return Top.commandLine(new World(console, choices -> host, Clock.fixed(NOW, ZoneOffset.UTC), "1.2.3"))
                .execute(args);
    }
}
