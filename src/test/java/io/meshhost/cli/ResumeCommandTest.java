package io.meshhost.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.machine.Commands.Result;
import io.meshhost.machine.Places;
import io.meshhost.machine.testing.FakeCommands;
import io.meshhost.testing.UnixServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What {@code resume} says that it did is what it did. */
class ResumeCommandTest extends CommandLineFixture {
    private static final Places MACHINE = places("/");

    private final FakeCommands systemd = new FakeCommands();

    private static Places places(String root) {
        Path at = Path.of(root);
        return new Places(at, at, at, at, at, at.resolve("c.sock"), Optional.empty());
    }

    private String started(int known, int active) {
        systemd.on("systemctl cat nox-mesh-host.service", new Result(known, "", ""))
                .on("systemctl is-active nox-mesh-host.service", new Result(active, "", ""))
                .on("systemctl start --no-block nox-mesh-host.service", "");
        return ResumeCommand.start(systemd, true, MACHINE);
    }

    @Test
    void aUnitThatIsNotActiveIsStarted() {
        assertThat(started(0, 3)).isEqualTo("nox-mesh-host.service is being started; see nox-mesh-host status");
        assertThat(systemd.lines()).contains("systemctl start --no-block nox-mesh-host.service");
    }

    @Test
    void oneThatIsActiveIsSaidToRunAndStartedInCaseItIsAboutToEnd() {
        assertThat(started(0, 0)).isEqualTo("nox-mesh-host.service is running already; see nox-mesh-host status");
        assertThat(systemd.lines()).contains("systemctl start --no-block nox-mesh-host.service");
    }

    @Test
    void whereSystemdKnowsNoSuchUnitTheCommandIsNamed() {
        assertThat(started(1, 3)).isEqualTo("start it with nox-mesh-host launch");
        assertThat(systemd.lines()).containsExactly("systemctl cat nox-mesh-host.service");
    }

    @Test
    void withoutSystemdNothingIsAskedOfIt() {
        assertThat(ResumeCommand.start(systemd, false, places("/srv/try")))
                .isEqualTo("start it with nox-mesh-host launch --root /srv/try");
        assertThat(systemd.lines()).isEmpty();
    }

    @Test
    void oneThatRunsAnywayIsNotToBeStarted() throws Exception {
        Files.createDirectories(dir.resolve("run"));
        CompletableFuture<String> asked = UnixServer.answering(dir.resolve("run/launcher.sock"), "{}\n");
        Files.createDirectories(dir.resolve("state"));
        assertThat(run("resume")).isZero();
        assertThat(out.toString())
                .isEqualTo("it was not halted; failures are forgotten; its supervisor is running already; see"
                        + " nox-mesh-host status --root " + dir + "\n");
        assertThat(asked.join()).isEqualTo("status\n");
    }

    @Test
    void aHaltIsLiftedAndSaid() throws Exception {
        Files.writeString(Files.createDirectories(dir.resolve("state")).resolve("halted"), "no host binary\n");
        assertThat(run("resume")).isZero();
        assertThat(out.toString())
                .isEqualTo(
                        "the halt (no host binary) is lifted; start it with nox-mesh-host launch --root " + dir + "\n");
        assertThat(dir.resolve("state/halted")).doesNotExist();
    }
}
