package io.meshhost.machine.services;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.machine.Commands.Command;
import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.Probe;
import io.meshhost.machine.SystemCommands;
import io.meshhost.machine.services.ServiceState.Active;
import io.meshhost.machine.services.ServiceState.Enabled;
import io.meshhost.testing.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("systemd")
class SystemdServicesTest extends ServicesContract {
    static final Path UNITS = Path.of("/etc/systemd/system");

    @TempDir
    private Path directory;

    private final Services services = systemd();

    static SystemdServices systemd() {
        return new SystemdServices(
                new SystemCommands(), new io.meshhost.machine.Files(Path.of("/"), Probe.NONE), UNITS);
    }

    @BeforeEach
    void needsSystemd() {
        Needs.systemd();
    }

    @Override
    Services services() {
        return services;
    }

    @Override
    Path bundle() throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        return directory;
    }

    private static void unit(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    @Test
    void enabledUntilTheNextBootIsNotEnabled() throws IOException { // SV-01
        install(daemon("mesh-one", "dump"));
        new SystemCommands().mustRun(Command.of(
                "systemctl", "enable", "--runtime", "mesh-one.service"));
        assertThat(state("mesh-one.service").enabled()).isEqualTo(Enabled.ENABLED_RUNTIME);
        services().disable("mesh-one.service");
        assertThat(state("mesh-one.service").enabled()).isEqualTo(Enabled.DISABLED);
    }

    @Test
    void enablingARunningDaemonIsSeenAtOnce() throws IOException {
        install(daemon("mesh-one", "dump"));
        services().start("mesh-one.service");
        assertThat(state("mesh-one.service").enabled()).isEqualTo(Enabled.DISABLED);
        services().enable("mesh-one.service");
        assertThat(state("mesh-one.service").enabled()).isEqualTo(Enabled.ENABLED);
    }

    @Test
    void aOneShotIsToldFromADaemon() throws IOException { // SV-03
        unit(UNITS.resolve("mesh-shot.service"), "[Service]\nType=oneshot\nExecStart=/bin/true\n");
        services().reload();
        services().start("mesh-shot.service");
        ServiceState state = state("mesh-shot.service");
        assertThat(state.type()).isEqualTo("oneshot");
        assertThat(state.remainsAfterExit()).isFalse();
        assertThat(state.active()).isEqualTo(Active.INACTIVE);
        assertThat(state.enabled()).isEqualTo(Enabled.STATIC);
        Files.delete(UNITS.resolve("mesh-shot.service"));
        services().reload();
    }

    @Test
    void aUnitThatSomebodyElseWroteIsForeignWhereverItIs() throws IOException {
        install(daemon("mesh-one", "dump").at("@daily"));
        assertThat(services().foreign("mesh-one")).isEmpty();
        for (String place : List.of("/usr/local/lib/systemd/system/mesh-one.service", "/run/systemd/system/mesh-one.timer")) {
            unit(Path.of(place), "[Service]\nExecStart=/bin/true\n");
            assertThat(services().foreign("mesh-one")).contains(Path.of(place));
            Files.delete(Path.of(place));
        }
        Path alias = Files.createSymbolicLink(
                Path.of("/run/systemd/system/mesh-other.service"), UNITS.resolve("mesh-one.service"));
        assertThat(services().foreign("mesh-other")).contains(alias);
        Files.delete(alias);
    }

    @Test
    void aThousandUnitsAreAskedInAMoment() {
        List<String> units =
                IntStream.range(0, 1000).mapToObj(i -> "mesh-unit-" + "x".repeat(150) + i + ".service").toList();
        Map<String, ServiceState> states = services().states(units);
        assertThat(states.keySet()).containsExactlyElementsOf(units);
        assertThat(states.values()).noneMatch(ServiceState::exists);
    }

    @Test
    void aTimerWhoseTimeWasChangedDoesNotRunAtOnce() throws IOException { // CR-14
        install(daemon("mesh-job", "count").at("* * * * *"));
        services().start("mesh-job.timer");
        // As if it had run long ago: from then on, each time since counts as missed.
        Path stamp = Path.of("/var/lib/systemd/timers/stamp-mesh-job.timer");
        services().stop("mesh-job.timer");
        Files.setLastModifiedTime(stamp, FileTime.fromMillis(0));
        install(daemon("mesh-job", "count").at("0 0 1 1 *"));
        services().start("mesh-job.timer");
        services().restart("mesh-job.timer");
        assertThat(state("mesh-job.timer").active()).isEqualTo(Active.ACTIVE);
        assertThat(state("mesh-job.service").active()).isEqualTo(Active.INACTIVE);
        assertThat(file("runs")).doesNotExist();
        remove("mesh-job");
        assertThat(stamp).doesNotExist();
    }

    @Test
    void aDaemonThatIsStartedTooOftenSaysSo() throws IOException { // CR-13
        install(daemon("mesh-job", "count").at("@yearly"));
        services().start("mesh-job.timer");
        ServiceState state = state("mesh-job.service");
        for (int i = 0; i < 20 && !state.result().equals("start-limit-hit"); i++) {
            try {
                services().start("mesh-job.service");
            } catch (MachineFailure e) {
                assertThat(e.sentence()).contains("see systemctl status mesh-job.service");
            }
            state = state("mesh-job.service");
        }
        assertThat(state.result()).isEqualTo("start-limit-hit");
        assertThat(state.active()).isEqualTo(Active.FAILED);
    }

    @Test
    void theLastWordsOfAHurriedStepAreNeverLost() throws IOException {
        ProcessSpec spec = daemon("mesh-step", "lines", "3").step().spec();
        for (int i = 0; i < 60; i++) {
            assertThat(services().runStep(spec, Duration.ofMinutes(1)).lastLines()).hasSize(50).endsWith("line 60");
        }
    }

    @Test
    void whatSystemdDroppedIsNamed() throws IOException { // UE-12
        ProcessSpec spec = install(daemon("mesh-drop", "dump", "a", "b").env(Map.of("GOOD", "1", "ALSO", "2")));
        Path unit = UNITS.resolve("mesh-drop.service");
        Files.writeString(unit, Files.readString(unit).replace("\"ALSO=2\"", "\"A-B=2\"").replace("\"b\"", "\"c\""));
        services().reload();
        assertThat(services().misunderstood(spec))
                .containsExactlyInAnyOrder(
                        "mesh-drop.service: Environment= was not understood as it was meant (ALSO)",
                        "mesh-drop.service: ExecStart= was not understood as it was meant (word 3)");
        Files.writeString(unit, Files.readString(unit).replace("ExecStart=", "ExecStart=relative"));
        services().reload();
        assertThat(services().misunderstood(spec)).hasSize(1).first().asString().contains("bad-setting");
    }

    @Test
    void aTimeThatSystemdCannotReadIsNamed() throws IOException {
        ProcessSpec spec = install(daemon("mesh-drop", "dump").at("30 0 1 * 1"));
        assertThat(services().misunderstood(spec)).isEmpty();
        Path timer = UNITS.resolve("mesh-drop.timer");
        Files.writeString(timer, Files.readString(timer).replace("OnCalendar=Mon", "OnCalendar=Mond"));
        services().reload();
        assertThat(services().misunderstood(spec)).containsExactly("mesh-drop.timer: OnCalendar= was not understood");
    }
}
