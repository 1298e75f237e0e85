package io.meshhost.apply;

import static io.meshhost.apply.testing.Declared.file;
import static io.meshhost.apply.testing.Declared.machine;
import static io.meshhost.apply.testing.Declared.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.apply.testing.Rig;
import io.meshhost.apply.testing.WholeMachine;
import io.meshhost.declaration.Declaration;
import io.meshhost.machine.Machine;
import io.meshhost.machine.Probe;
import io.meshhost.machine.services.ServiceState.Enabled;
import io.meshhost.machine.testing.PowerCut;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RestartTest {
    private static final String RESTART = "restart x.service";

    @TempDir
    Path base;

    private static List<Kind<?, ?>> kinds(Machine machine) {
        return List.of(new FileKind(machine.clock()), new WholeMachine<>(new ServiceKind()));
    }

    private Rig rig(String name) {
        Rig rig = new Rig(base.resolve(name)).impatient().with(RestartTest::kinds);
        rig.services.install("x.service", true, Enabled.ENABLED, "simple");
        return rig;
    }

    private static Declaration declaration(String text) {
        return machine(
                service("a/x", "x.service", Optional.of(true), Optional.empty(), "a/conf"),
                file("a/conf", "/etc/conf", text));
    }

    @Test
    void aChangedCauseRestartsOnceAndAfterTheCauseIsInPlace() {
        try (Rig rig = rig("m")) {
            Report first = rig.apply(declaration("1"));
            assertThat(Rig.lines(first)).containsExactly("a/conf created", "a/x updated");
            assertThat(rig.services.told()).containsExactly(RESTART);
            rig.apply(declaration("1"));
            assertThat(rig.services.told()).containsExactly(RESTART);
            rig.apply(declaration("2"));
            assertThat(rig.services.told()).containsExactly(RESTART, RESTART);
            assertThat(rig.record().owed()).isEmpty();
        }
    }

    @Test
    void aRestartIsOwedUntilItSucceeded() {
        try (Rig rig = rig("m")) {
            rig.apply(declaration("1"));
            rig.services.uninstall("x.service");
            Report failed = rig.apply(declaration("2"));
            assertThat(Rig.lines(failed)).containsExactly("a/conf updated", "a/x failed");
            assertThat(rig.record().owed()).containsOnlyKeys("a/x");
            rig.services.install("x.service", true, Enabled.ENABLED, "simple");
            Report paid = rig.apply(declaration("2"));
            assertThat(Rig.lines(paid)).containsExactly("a/conf unchanged", "a/x updated");
            assertThat(rig.services.told()).containsExactly(RESTART, RESTART);
            assertThat(rig.record().owed()).isEmpty();
        }
    }

    @Test
    void noPowerCutLosesARestart() {
        for (int n = 1; n < 100; n++) {
            try (Rig rig = rig("m" + n)) {
                rig.apply(declaration("1"));
                int before = rig.services.told().size();
                rig.restart(Probe.NONE, PowerCut.before(n));
                boolean through = through(rig);
                rig.restart(Probe.NONE, Probe.NONE);
                rig.apply(declaration("2"));
                assertThat(rig.services.told().size()).as("after cut %d", n).isGreaterThan(before);
                assertThat(rig.record().owed()).as("after cut %d", n).isEmpty();
                if (through) {
                    assertThat(n).isGreaterThan(8);
                    return;
                }
            }
        }
    }

    private static boolean through(Rig rig) {
        try {
            rig.apply(declaration("2"));
            return true;
        } catch (PowerCut.Cut cut) {
            return false;
        }
    }
}
