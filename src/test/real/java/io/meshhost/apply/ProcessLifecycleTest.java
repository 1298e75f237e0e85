package io.meshhost.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.apply.testing.ProcessWorld;
import io.meshhost.machine.Probe;
import io.meshhost.machine.SystemCommands;
import io.meshhost.machine.services.SystemdServices;
import io.meshhost.testing.Needs;
import io.meshhost.testing.Shell;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The life of a process under a real systemd. */
@Tag("systemd")
class ProcessLifecycleTest extends ProcessLifecycleContract {
    private static final Path UNITS = Path.of("/etc/systemd/system");

    static SystemdServices systemd() {
        return new SystemdServices(
                new SystemCommands(), new io.meshhost.machine.Files(Path.of("/"), Probe.NONE), UNITS);
    }

    @Override
    @BeforeEach
    void machine() throws IOException {
        Needs.systemd();
        super.machine();
    }

    @Override
    ProcessWorld open() throws IOException {
        return ProcessWorld.of(folder, UNITS, _ -> systemd());
    }

    @Override
    void assertGone(String name) {
        super.assertGone(name);
        assertThat(traces(name)).isEmpty();
    }

    /** Every path of systemd's that names one of its units, links too. */
    private static List<String> traces(String name) {
        return Stream.of(UNITS, Path.of("/run/systemd/system"), Path.of("/run/systemd/transient"))
                .filter(Files::isDirectory)
                .flatMap(ProcessLifecycleTest::below)
                .filter(path -> path.contains("/" + name + "."))
                .toList();
    }

    private static Stream<String> below(Path directory) {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.map(Path::toString).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aScheduledOneLeavesNoServiceEnabled() {
        world.apply(web(v1).build());
        assertThat(traces("mesh-life")).anyMatch(path -> path.endsWith("multi-user.target.wants/mesh-life.service"));
        world.apply(web(v1).at("0 3 * * *").build());
        assertThat(traces("mesh-life"))
                .containsExactlyInAnyOrder(
                        UNITS + "/mesh-life.service",
                        UNITS + "/mesh-life.timer",
                        UNITS + "/timers.target.wants/mesh-life.timer");
        world.apply(web(v1).build());
        assertThat(traces("mesh-life"))
                .containsExactlyInAnyOrder(
                        UNITS + "/mesh-life.service", UNITS + "/multi-user.target.wants/mesh-life.service");
    }

    @Test
    void aFailedOneIsForgottenBySystemdTooWhenItIsUndeclared() throws IOException, InterruptedException {
        world.apply(web(world.publish(Map.of("app*", "#!/bin/sh\nexit 7\n")))
                .build());
        world.report();
        assertGone("mesh-life");
        assertThat(Shell.must("systemctl", "list-units", "--all", "--plain", "--no-legend", "mesh-life*"))
                .isEmpty();
    }

    @Test
    void aUnitOfSomebodyElseIsRefusedAndNotTouched() throws IOException {
        Path unit = Files.writeString(UNITS.resolve(UNIT), "[Service]\nExecStart=/bin/true\n");
        try {
            Outcome outcome = world.apply(web(v1).build());
            assertThat(outcome.action()).isEqualTo("failed");
            assertThat(outcome.error())
                    .startsWith("cannot install mesh-life: " + unit + " is a unit of that name that mesh-host did not");
            world.report();
            assertThat(unit).hasContent("[Service]\nExecStart=/bin/true\n");
            assertThat(tree()).doesNotExist();
        } finally {
            Files.delete(unit);
        }
    }

    @Test
    void theJournalHoldsNoSecret() throws IOException, InterruptedException {
        String word = "journal-" + "secret-77b";
        world.apply(web(v1).secret("HIDDEN", word).build());
        assertThat(environ()).contains("HIDDEN=" + word);
        Shell.must("journalctl", "--sync");
        String journal = Shell.must("journalctl", "--no-pager", "--output=export", "--boot");
        assertThat(journal).contains("mesh-life.service").doesNotContain(word);
        assertThat(Shell.must("systemctl", "show", UNIT)).doesNotContain(word);
    }
}
