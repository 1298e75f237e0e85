package io.meshhost.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.testing.Needs;
import io.meshhost.testing.Shell;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A state directory that is full or read-only: the host is started all the same, and going back works in memory. */
@Tag("root")
class DiskOfTheSupervisorTest {
    private static final String WAITS = "echo up >> log; exec sleep 60";

    @TempDir
    private Path temp;

    private Path state;
    private Supervised machine;

    @BeforeEach
    void aSmallDisk() throws Exception {
        Needs.root();
        machine = new Supervised(temp.toRealPath());
        state = machine.room.state();
        Shell.must("mount", "-t", "tmpfs", "-o", "size=64k,mode=700", "none", state.toString());
    }

    @AfterEach
    void unmount() throws Exception {
        machine.close();
        Shell.must("umount", state.toString());
    }

    private void full() throws Exception {
        Shell.must("sh", "-c", "head -c 1M /dev/zero > " + state.resolve("filler") + " 2>/dev/null || true");
    }

    private void readOnly() throws Exception {
        Shell.must("mount", "-o", "remount,ro", state.toString());
    }

    private void writable() throws Exception {
        Shell.must("mount", "-o", "remount,rw", state.toString());
    }

    @Test
    void onAFullDiskItGoesBackInMemoryAndSaysSo() throws Exception {
        machine.host("a", WAITS).host("b", "exit 1");
        machine.room.write("arrivals", "1 a\n2 b\n");
        full();
        machine.start().until("\"why\":\"it is pinned by a rollback\"");
        assertThat(machine.lines("pids")).hasSize(4);
        assertThat(machine.asked())
                .contains(
                        "\"version\":\"a\"",
                        "a rollback is remembered in memory only: cannot",
                        "this status stands in memory only: cannot write",
                        "disk is full");
        assertThat(machine.said)
                .anyMatch(line -> line.startsWith(
                        "failures are counted in memory only: cannot write " + state.resolve("start-attempts")));
    }

    @Test
    void onAFullDiskItHaltsInTheEndAndWantsToBeStartedAgain() throws Exception {
        machine.host("a", "exit 1").host("b", "exit 1");
        full();
        machine.start();
        // The halt stands nowhere: for systemd, which starts nothing after 0, the machine would be given up unseen.
        assertThat(machine.status()).isEqualTo(1);
        assertThat(machine.lines("pids")).hasSize(6);
        assertThat(machine.said).contains("halted: rolled back and still failing");
    }

    @Test
    void onAFullDiskNobodyGoesBackToWhatHasFailed() throws Exception {
        machine.host("z", WAITS).host("c", "exit 1");
        machine.host("b", "echo b >> runs; [ $(wc -l < runs) -lt 3 ] || mv hidden libexec/versions/c; exit 1");
        Files.move(machine.room.versions().resolve("c"), machine.room.root.resolve("hidden"));
        machine.room.write("arrivals", "1 z\n2 b\n3 c\n");
        full();
        machine.start().until("\"version\":\"z\"");
        assertThat(machine.lines("runs")).hasSize(3);
        assertThat(machine.said).anyMatch(line -> line.startsWith("a version that failed is rejected in memory only: "));
    }

    @Test
    void onAReadOnlyDiskTheHostIsStartedAndTheStatusSaysWhatIsWrong() throws Exception {
        machine.host("a", WAITS);
        readOnly();
        machine.start().until("\"child\":");
        machine.untilLogged("up");
        assertThat(machine.asked()).contains("\"version\":\"a\"", "this status stands in memory only", "read-only");
    }

    @Test
    void onceTheDiskTakesItAgainTheRollbackIsWrittenAndTheTroubleForgotten() throws Exception {
        machine.host("a", "echo up >> log; while [ ! -e ../go ] && [ ! -e go ]; do sleep 0.02; done; exit 0")
                .host("b", "exit 1");
        machine.room.write("arrivals", "1 a\n2 b\n");
        readOnly();
        machine.start().until("\"why\":\"it is pinned by a rollback\"");
        machine.untilLogged("up");
        writable();
        Shell.must("touch", temp.resolve("go").toString());
        machine.until("\"notes\":[]");
        assertThat(machine.room.read("rollback-pinned")).isEqualTo("a\n");
        assertThat(machine.room.read("rejected")).matches("sha256:[0-9a-f]{64} b\n");
    }

    @Test
    void twoOnAReadOnlyDiskTheSecondNamesTheFirst() throws Exception {
        machine.host("a", WAITS);
        readOnly();
        try (Launched first = Launched.start(machine.environment(), temp.resolve("first.log"))) {
            machine.untilLogged("up");
            refused(first);
            // Nor when the disk is writable again: the first holds no file.
            writable();
            refused(first);
            first.signal("TERM");
            assertThat(first.status()).isZero();
        }
        assertThat(machine.lines("pids")).hasSize(1);
    }

    private void refused(Launched first) throws Exception {
        try (Launched second = Launched.start(machine.environment(), temp.resolve("second.log"))) {
            assertThat(second.status()).as(second.said()).isEqualTo(1);
            assertThat(second.said())
                    .contains("cannot supervise: another supervisor, pid " + first.pid() + ", keeps " + state);
        }
    }

    @Test
    void aStateDirectoryThatCannotBeMadeStopsNothing() throws Exception {
        machine.host("a", WAITS);
        readOnly();
        machine.set("STATE_DIR", state.resolve("deep/er").toString());
        machine.start().untilLogged("up");
        machine.until("\"version\":\"a\"");
        assertThat(machine.said).anyMatch(line -> line.contains(state.resolve("deep").toString()));
    }
}
