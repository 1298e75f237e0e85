package io.meshhost.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.apply.testing.Declared;
import io.meshhost.apply.testing.RealMachine;
import io.meshhost.apply.testing.Rig;
import io.meshhost.declaration.Declaration;
import io.meshhost.testing.Needs;
import io.meshhost.testing.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SV-01, SV-03, SV-06: the machine's own units are given back as they were found. */
@Tag("systemd")
class ServiceUnderSystemdTest {
    private static final String UNIT = "mht-found.service";
    private static final Path FILE = Path.of("/etc/systemd/system", UNIT);
    private static final Declaration NOTHING = Declared.machine();

    @TempDir
    Path base;

    private RealMachine machine;

    @BeforeEach
    void machine() throws IOException, InterruptedException {
        Needs.systemd();
        machine = new RealMachine(base);
        unit("[Service]\nExecStart=/bin/sleep 1000\n");
    }

    @AfterEach
    void gone() throws IOException, InterruptedException {
        Shell.run(List.of("systemctl", "disable", "--now", UNIT));
        Shell.run(List.of("systemctl", "disable", "--runtime", UNIT));
        Files.deleteIfExists(FILE);
        Shell.must("systemctl", "daemon-reload");
        machine.close();
    }

    private static void unit(String service) throws IOException, InterruptedException {
        Files.writeString(FILE, "[Unit]\nDescription=found\n" + service + "[Install]\nWantedBy=multi-user.target\n");
        Shell.must("systemctl", "daemon-reload");
    }

    private static Declaration declared(Optional<Boolean> running, Optional<Boolean> enabled) {
        return Declared.machine(Declared.service("m/unit", UNIT, running, enabled));
    }

    private static String state() throws IOException, InterruptedException {
        return Shell.run(List.of("systemctl", "is-active", UNIT)).said().strip() + " "
                + Shell.run(List.of("systemctl", "is-enabled", UNIT)).said().strip();
    }

    private void assertApplied(Declaration declaration, String line, String state)
            throws IOException, InterruptedException {
        assertThat(Rig.lines(machine.apply(declaration))).containsExactly(line);
        assertThat(state()).isEqualTo(state);
    }

    @Test
    void foundStoppedAndEnabledItIsSoAgain() throws IOException, InterruptedException {
        Shell.must("systemctl", "enable", UNIT);
        Declaration runs = declared(Optional.of(true), Optional.empty());
        assertApplied(runs, "m/unit updated", "active enabled");
        assertApplied(runs, "m/unit unchanged", "active enabled");
        assertApplied(NOTHING, "m/unit restored", "inactive enabled");
    }

    @Test
    void oneThatTheOperatorStoppedMeanwhileIsNotTouched() throws IOException, InterruptedException {
        Shell.must("systemctl", "enable", UNIT);
        assertApplied(declared(Optional.of(true), Optional.empty()), "m/unit updated", "active enabled");
        Shell.must("systemctl", "stop", UNIT);
        assertApplied(NOTHING, "m/unit forgotten", "inactive enabled");
    }

    @Test
    void foundRunningItStaysRunningAndEnabledIsPutBack() throws IOException, InterruptedException {
        Shell.must("systemctl", "start", UNIT);
        assertApplied(declared(Optional.of(true), Optional.of(true)), "m/unit updated", "active enabled");
        assertApplied(NOTHING, "m/unit restored", "active disabled");
    }

    @Test
    void nothingIsStartedOnTheWayOut() throws IOException, InterruptedException {
        Shell.must("systemctl", "enable", "--now", UNIT);
        assertApplied(declared(Optional.of(false), Optional.empty()), "m/unit updated", "inactive enabled");
        Report report = machine.apply(NOTHING);
        assertThat(report.outcomes().getFirst().detail()).contains("nothing is started on the way out");
        assertThat(state()).isEqualTo("inactive enabled");
    }

    @Test
    void aUnitThatVanishedIsForgotten() throws IOException, InterruptedException {
        assertApplied(declared(Optional.of(true), Optional.empty()), "m/unit updated", "active disabled");
        Shell.must("systemctl", "stop", UNIT);
        Files.delete(FILE);
        Shell.must("systemctl", "daemon-reload");
        assertThat(Rig.lines(machine.apply(NOTHING))).containsExactly("m/unit forgotten");
    }

    @Test
    void enabledUntilTheNextBootIsNotEnabled() throws IOException, InterruptedException { // SV-01
        Shell.must("systemctl", "enable", "--runtime", UNIT);
        assertThat(state()).isEqualTo("inactive enabled-runtime");
        Declaration enabled = declared(Optional.empty(), Optional.of(true));
        assertApplied(enabled, "m/unit updated", "inactive enabled");
        assertApplied(enabled, "m/unit unchanged", "inactive enabled");
    }

    @Test
    void aOneShotThatEndsByItselfIsRefusedAsRunningAndKeptWhereItRemains() // SV-03
            throws IOException, InterruptedException {
        unit("[Service]\nType=oneshot\nExecStart=/bin/true\n");
        Declaration runs = declared(Optional.of(true), Optional.empty());
        Report report = machine.apply(runs);
        assertThat(report.outcomes().getFirst().error()).contains("one-shot").contains("RemainAfterExit=yes");
        unit("[Service]\nType=oneshot\nRemainAfterExit=yes\nExecStart=/bin/true\n");
        assertApplied(runs, "m/unit updated", "active disabled");
        assertApplied(runs, "m/unit unchanged", "active disabled");
        assertApplied(NOTHING, "m/unit restored", "inactive disabled");
    }
}
