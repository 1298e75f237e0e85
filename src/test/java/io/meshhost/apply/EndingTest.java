package io.meshhost.apply;

import static io.meshhost.apply.testing.Declared.file;
import static io.meshhost.apply.testing.Declared.machine;
import static io.meshhost.apply.testing.Declared.serial;
import static io.meshhost.apply.testing.Declared.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.apply.testing.KindOf;
import io.meshhost.apply.testing.ProcessDraft;
import io.meshhost.apply.testing.Rig;
import io.meshhost.apply.testing.WholeMachine;
import io.meshhost.declaration.Declaration;
import io.meshhost.declaration.Resource.FileResource;
import io.meshhost.machine.Machine;
import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.Probe;
import io.meshhost.machine.services.ServiceState.Enabled;
import io.meshhost.record.Applied;
import io.meshhost.record.HistoryEntry;
import io.meshhost.record.RecordFailure;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What fails after the last resource was carried out is told in the report and in the history, and ends neither. */
class EndingTest {
    private static final String DEAF = "cannot reload systemd: it does not answer; see its log";

    @TempDir
    Path base;

    private Rig rig;

    @BeforeEach
    void machineIsThere() {
        rig = new Rig(base).impatient().with(EndingTest::kinds);
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private static List<Kind<?, ?>> kinds(Machine machine) {
        return List.of(
                new FileKind(machine.clock()),
                new WholeMachine<>(new ServiceKind()),
                new ProcessKind(machine.clock().withZone(ZoneId.of("UTC"))));
    }

    private ProcessDraft process(String name, String version) {
        String sha256 = rig.bundles().publish("version=" + version + "\n");
        return ProcessDraft.of(sha256).id("a/" + name).named(name).run("/bin/true");
    }

    /** The second waits for the first, which does not start: what was staged of the second is taken back. */
    private Declaration broken() {
        return machine(
                process("one", "broken").build(),
                process("two", "v1").env("NEW", "1").after("a/one").build());
    }

    private HistoryEntry newest() {
        return rig.record().history(Optional.empty(), 1).getFirst();
    }

    /** Which reload of such an apply is the one after its last resource. */
    private int reloads() {
        try (Rig other = new Rig(base.resolve("other")).impatient().with(EndingTest::kinds)) {
            Rig here = rig;
            rig = other;
            other.apply(machine(process("two", "v1").build()));
            other.processes.calls.clear();
            other.apply(broken());
            rig = here;
            return (int) other.processes.calls.stream().filter("reload"::equals).count();
        }
    }

    @Test
    void aLastReloadThatFailsIsAFailedOutcomeAndTheNextApplyReloadsAgain() {
        int last = reloads();
        Declaration before = machine(process("two", "v1").build());
        rig.apply(before);
        int[] reloads = {0};
        rig.units.beforeReload = () -> {
            if (++reloads[0] == last) {
                throw new MachineFailure(DEAF);
            }
        };
        Report report = rig.apply(broken());
        assertThat(Rig.lines(report)).containsExactly("a/one failed", "a/two failed");
        assertThat(report.outcomes().get(1).error()).isEqualTo(DEAF);
        assertThat(report.summary()).containsEntry("failed", 2);
        assertThat(newest().lines()).extracting(HistoryEntry.Line::error).contains(DEAF);
        assertThat(rig.record().applied().values())
                .filteredOn(Applied::pending)
                .extracting(Applied::id)
                .contains("a/two");
        rig.processes.calls.clear();
        assertThat(rig.apply(before).ok()).isTrue();
        assertThat(rig.processes.calls).contains("reload");
        assertThat(rig.processes.running("two.service").orElseThrow()).doesNotContain("NEW");
    }

    @Test
    void aRestartThatCannotBeForgivenIsAFailedOutcomeAndStaysOwed() {
        rig.services.install("x.service", true, Enabled.ENABLED, "simple");
        rig.apply(declared(true, "1"));
        rig.services.uninstall("x.service");
        rig.apply(declared(true, "2"));
        assertThat(rig.record().owed()).containsOnlyKeys("a/x");
        rig.services.install("x.service", false, Enabled.ENABLED, "simple");
        rig.restart(Probe.NONE, EndingTest::full);
        Report report = rig.apply(declared(false, "2"));
        assertThat(Rig.lines(report)).containsExactly("a/conf unchanged", "a/x failed");
        assertThat(report.outcomes().get(1).error()).isEqualTo("cannot write the record: no space is left");
        rig.restart(Probe.NONE, Probe.NONE);
        assertThat(newest().lines()).extracting(HistoryEntry.Line::id).containsExactly("a/x");
        assertThat(rig.record().owed()).containsOnlyKeys("a/x");
        assertThat(rig.apply(declared(false, "2")).ok()).isTrue();
        assertThat(rig.record().owed()).isEmpty();
    }

    private static Declaration declared(boolean running, String text) {
        return machine(
                service("a/x", "x.service", running ? Optional.of(true) : Optional.empty(), Optional.empty(), "a/conf"),
                file("a/conf", "/etc/conf", text));
    }

    private static void full(long number, String what, Path path) {
        if (what.equals("finish") || what.equals("serial")) {
            throw new RecordFailure("cannot write the record: no space is left", null);
        }
    }

    @Test
    void aFaultWhileLookingAgainConcernsThatFileOnly() {
        rig.with(machine -> List.of(new KindOf<>(new FileKind(machine.clock())) {
            @Override
            public Optional<String> settle(FileResource resource, Applied row, Work work) {
                if (resource.id().equals("a/y")) {
                    throw new IllegalStateException("a bug");
                }
                return super.settle(resource, row, work);
            }
        }));
        Report report = rig.apply(machine(file("a/x", "/srv/x", "x"), file("a/y", "/srv/y", "y")));
        assertThat(Rig.lines(report)).containsExactly("a/x created", "a/y failed");
        assertThat(report.outcomes().get(1).error())
                .isEqualTo("cannot apply a/y: a fault in the host itself; see its log");
        assertThat(newest().lines()).extracting(HistoryEntry.Line::action).containsExactly("created", "failed");
    }

    @Test
    void aSerialThatCannotBeWrittenDownIsANoteAndNotWell() {
        rig.apply(serial(1, file("a/x", "/srv/x", "x")));
        rig.restart(Probe.NONE, EndingTest::full);
        Report report = rig.apply(serial(2, file("a/x", "/srv/x", "x")));
        assertThat(Rig.lines(report)).containsExactly("a/x unchanged");
        assertThat(report.ok()).isFalse();
        assertThat(report.notes()).contains("cannot write the record: no space is left");
    }
}
