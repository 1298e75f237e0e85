package io.meshhost.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.testing.Needs;
import io.meshhost.testing.Shell;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The package that -Pdeb built, as Debian's own tools read it. */
@Tag("root")
class DebianContentsTest {
    @Test
    void lintianFindsNothing() throws Exception {
        Needs.command("lintian");

        Shell.Ended ended = Shell.run(
                List.of("lintian", "--allow-root", "--fail-on", "error,warning", Debian.built().toString()));

        assertThat(ended).isEqualTo(new Shell.Ended(0, ""));
    }

    @Test
    void itDependsOnNothingAndRecommendsAJava() throws Exception {
        assertThat(Shell.must("dpkg-deb", "-f", Debian.built().toString(), "Depends", "Recommends", "Architecture"))
                .isEqualTo("Recommends: java25-runtime-headless\nArchitecture: all\n");
    }

    @Test
    void everyCommandHasAManPage() throws Exception {
        String contents = Shell.must("dpkg-deb", "-c", Debian.built().toString());
        String help = Shell.must("env", "MESH_HOST_AOT=off", "target/bin/nox-mesh-host", "--help");
        List<String> commands = help.lines()
                .dropWhile(line -> !line.equals("Commands:"))
                .skip(1)
                .takeWhile(line -> !line.isBlank())
                .filter(line -> line.matches("  [a-z]+ .*"))
                .map(line -> line.strip().split(" ", 2)[0])
                .toList();

        assertThat(commands).contains("run", "launch", "status");
        assertThat(commands)
                .allSatisfy(command -> assertThat(contents).contains("/man1/nox-mesh-host-" + command + ".1.gz\n"));
    }
}
