package io.meshhost.machine.services;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.SystemCommands;
import io.meshhost.machine.services.ServiceState.Active;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A fault in the host while it starts a process. */
class ChildTest {
    @TempDir
    Path dir;

    private final RealTicker ticker = new RealTicker();
    private final Spawner spawner = new Spawner("test supervisor");
    private final List<String> notes = new CopyOnWriteArrayList<>();
    private final AtomicBoolean faulty = new AtomicBoolean(true);
    private Child child;

    /** The status is written before each start: here that is where the fault is. */
    private final BuiltinWorks.Status status = new BuiltinWorks.Status() {
        @Override
        public void publish() {
            if (faulty.get()) {
                throw new IllegalStateException("a bug");
            }
        }

        @Override
        public void changed() {}
    };

    @BeforeEach
    void aProcess() {
        ProcessTable table = new ProcessTable(Path.of("/proc"));
        BuiltinWorks works = new BuiltinWorks(
                new BuiltinLauncher(new SystemCommands(), false, table),
                spawner,
                table,
                ticker,
                task -> Thread.ofVirtual().start(task),
                BuiltinFixture.QUICK,
                "epoch",
                status,
                notes::add);
        ProcessLog log = new ProcessLog(dir.resolve("log"), dir.resolve("log.1"), 1024);
        child = new Child(Specs.daemon("web", "/bin/sleep", "1000").in(dir).spec(), log, works);
    }

    @AfterEach
    void nothingStays() {
        child.stop();
        spawner.close();
        ticker.close();
    }

    @Test
    void itIsAFailureOfThatProcessWhichIsTriedAgain() {
        assertThatThrownBy(child::start)
                .isInstanceOf(MachineFailure.class)
                .hasMessage(
                        "cannot start web.service: a fault in the host itself (java.lang.IllegalStateException: a bug);"
                                + " please report it");
        assertThat(notes).first().asString().startsWith("cannot start web.service: a fault");
        faulty.set(false);
        await().atMost(10, SECONDS).until(() -> child.snapshot().active() == Active.ACTIVE);
    }

    @Test
    void itKeepsNobodyWaitingWhoStopsIt() {
        child.begin();
        child.stop();
        assertThat(child.down()).isTrue();
    }
}
