package io.meshhost.machine.services;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.testing.Shell;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The suite of every supervisor, run by the built-in one within a daemon. */
class BuiltinServicesTest extends ServicesContract {
    @TempDir
    Path state;

    @TempDir
    Path bundle;

    private final RealTicker ticker = new RealTicker();
    private BuiltinSupervisor supervisor;

    @BeforeEach
    void startSupervisor() {
        BuiltinSettings settings = new BuiltinSettings(
                Duration.ofSeconds(5), Duration.ofSeconds(3), Duration.ofSeconds(3), 1024 * 1024, ZoneId.of("UTC"));
        supervisor = new BuiltinSupervisor(BuiltinFixture.means(state, ticker, settings));
        supervisor.start();
    }

    @AfterEach
    void nothingIsLeftRunning() {
        supervisor.close();
        ticker.close();
        assertThat(new ProcessTable(Path.of("/proc"))
                        .all().stream()
                                .filter(entry -> entry.parent()
                                        == ProcessHandle.current().pid()))
                .isEmpty();
    }

    @Override
    Services services() {
        return supervisor;
    }

    @Override
    Path bundle() {
        return bundle;
    }

    @Test
    void anEnvFileThatIsAPipeIsRefusedAndHoldsNobody() throws Exception {
        script("show", "true\n");
        Shell.must("mkfifo", file("pipe").toString());
        Specs step = daemon("mesh-step", "show")
                .secret(file("step.env"), Map.of("S", "x"), file("pipe"))
                .step();

        Services.StepResult result = services().runStep(step.spec(), Duration.ofMinutes(1));

        assertThat(result.ok()).isFalse();
        assertThat(String.join(" ", result.lastLines()))
                .contains("pipe: it is not a regular file; mend it, or take it out of env_file");
    }

    @Test
    void aRemovedProcessLeavesNoFileBehind() throws IOException {
        install(daemon("mesh-one", "dump"));
        supervisor.enable("mesh-one.service");
        supervisor.start("mesh-one.service");
        awaitFile("pwd");

        remove("mesh-one");

        supervisor.close();
        try (var files = java.nio.file.Files.list(state.resolve("processes"))) {
            assertThat(files.map(file -> file.getFileName().toString())).containsExactly("running.json");
        }
    }
}
