package io.meshhost.machine.services;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.services.ServiceState.Active;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only the built-in supervisor must do: end with its host, and make good what a killed host left. */
class BuiltinSupervisorTest {
    private static final String UNIT = "web.service";

    @TempDir
    Path state;

    @TempDir
    Path bundle;

    private final RealTicker ticker = new RealTicker();

    @AfterEach
    void stopTime() {
        ticker.close();
    }

    private BuiltinServices installer() {
        return new BuiltinServices(BuiltinFixture.means(state, ticker, BuiltinFixture.QUICK));
    }

    private BuiltinSupervisor supervisor() {
        return new BuiltinSupervisor(BuiltinFixture.means(state, ticker, BuiltinFixture.QUICK));
    }

    /** Installs and enables what a shell script does, as a one-shot apply would. */
    private void install(String script) throws IOException {
        Specs spec = Specs.daemon("web", "/bin/sh", "-c", script).in(bundle);
        for (Services.UnitFile file : installer().files(spec.spec())) {
            Files.createDirectories(file.path().getParent());
            Files.writeString(file.path(), file.content());
        }
        installer().enable(UNIT);
    }

    private static ServiceState state(Services services) {
        return Objects.requireNonNull(services.states(List.of(UNIT)).get(UNIT));
    }

    private Process host() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        BuiltinHostMain.class.getName(),
                        state.toString())
                .inheritIO()
                .start();
    }

    private static void kill(Process process) {
        process.destroyForcibly().onExit().join();
    }

    private static boolean lives(int pid) {
        return new ProcessTable(Path.of("/proc"))
                .entry(pid)
                .filter(entry -> !entry.dead())
                .isPresent();
    }

    private int awaitPid(Services services) {
        await().atMost(20, SECONDS)
                .until(() -> state(services).mainPid() > 0 && state(services).active() == Active.ACTIVE);
        return state(services).mainPid();
    }

    private int awaitPid(String file) throws IOException {
        await().atMost(20, SECONDS)
                .until(() -> Files.exists(bundle.resolve(file)) && Files.size(bundle.resolve(file)) > 0);
        return Integer.parseInt(Files.readString(bundle.resolve(file)).strip());
    }

    @Test
    void whatIsEnabledStartsWithTheHostAndIsSaidToUntilThen() throws IOException {
        install("exec sleep 1000");
        assertThat(state(installer()).subState()).isEqualTo("starts-with-host");

        int pid;
        try (BuiltinSupervisor host = supervisor()) {
            host.start();
            pid = awaitPid(host);
            assertThat(lives(pid)).isTrue();
        }

        assertThat(lives(pid)).isFalse();
    }

    @Test
    void aKilledHostTakesItsProcessesAlong() throws IOException {
        install("exec sleep 1000");
        Process host = host();
        int pid = awaitPid(installer());
        assertThat(lives(pid)).isTrue();

        kill(host);

        await().atMost(5, SECONDS).until(() -> !lives(pid));
        assertThat(state(installer()).mainPid()).isZero();
    }

    @Test
    void aHostThatComesLaterEndsWhatAKilledOneLeftAndDoublesNothing() throws IOException {
        // The grandchild in a session of its own is what no death of a parent reaches.
        install("setsid sh -c 'echo $$ >child.part; mv child.part child; exec sleep 1000' & wait");
        Process first = host();
        int pid = awaitPid(installer());
        int child = awaitPid("child");
        kill(first);
        await().atMost(5, SECONDS).until(() -> !lives(pid));
        assertThat(lives(child)).isTrue();
        Files.delete(bundle.resolve("child"));

        int next;
        try (BuiltinSupervisor host = supervisor()) {
            host.start();
            assertThat(lives(child)).isFalse();
            awaitPid(host);
            next = awaitPid("child");
            assertThat(next).isNotEqualTo(child);
        }

        assertThat(lives(next)).isFalse();
    }

    @Test
    void twoHostsNeverKeepTheSameProcesses() throws IOException {
        install("exec sleep 1000");
        Process first = host();
        awaitPid(installer());
        try (BuiltinSupervisor second = supervisor()) {
            assertThatThrownBy(second::start)
                    .isInstanceOf(MachineFailure.class)
                    .hasMessage("cannot start the supervisor: the host with pid " + first.pid()
                            + " keeps the processes of this state directory; stop it first");
            assertThatThrownBy(() -> installer().stop(UNIT)).isInstanceOf(MachineFailure.class);
        } finally {
            kill(first);
        }
    }

    @Test
    void whatIgnoresTermIsKilledWithAllItStarted() throws IOException {
        install("trap '' TERM; sh -c 'trap \"\" TERM; echo $$ >child.part; mv child.part child; "
                + "while :; do sleep 1; done' & while :; do sleep 1; done");
        try (BuiltinSupervisor host = supervisor()) {
            host.start();
            int pid = awaitPid(host);
            int child = awaitPid("child");

            host.stop(UNIT);

            assertThat(lives(pid)).isFalse();
            assertThat(lives(child)).isFalse();
            assertThat(state(host).result()).isEqualTo("timeout");
            host.forget(UNIT);
            assertThat(state(host).active()).isEqualTo(Active.INACTIVE);
        }
    }

    @Test
    void aDaemonThatCannotBeStartedIsTriedAgain() throws IOException {
        install("exec sleep 1000");
        Files.move(bundle, bundle.resolveSibling(bundle.getFileName() + "-away"));
        try (BuiltinSupervisor host = supervisor()) {
            host.start();
            await().atMost(5, SECONDS).until(() -> state(host).restarts() > 0);
            assertThat(state(host).running()).isTrue();

            Files.move(bundle.resolveSibling(bundle.getFileName() + "-away"), bundle);

            assertThat(awaitPid(host)).isPositive();
        }
    }

    @Test
    void aScheduledRunThatIsAskedForTooOftenIsRefused() throws IOException { // StartLimitBurst= of systemd
        Specs spec = Specs.daemon("web", "/bin/true").in(bundle).at("@yearly");
        try (BuiltinSupervisor host = supervisor()) {
            host.start();
            for (Services.UnitFile file : host.files(spec.spec())) {
                Files.createDirectories(file.path().getParent());
                Files.writeString(file.path(), file.content());
            }
            host.reload();
            for (int i = 0; i < 5; i++) {
                host.start(UNIT);
                await().atMost(5, SECONDS).until(() -> state(host).active() == Active.INACTIVE);
            }

            assertThatThrownBy(() -> host.start(UNIT)).isInstanceOf(MachineFailure.class);
            assertThat(state(host).result()).isEqualTo("start-limit-hit");
        }
    }

    @Test
    void aScheduledRunIsEndedAfterItsTime() throws IOException {
        Specs spec = Specs.daemon("web", "/bin/sleep", "1000")
                .in(bundle)
                .at("@yearly")
                .within(Duration.ofMillis(300));
        try (BuiltinSupervisor host = supervisor()) {
            host.start();
            for (Services.UnitFile file : host.files(spec.spec())) {
                Files.createDirectories(file.path().getParent());
                Files.writeString(file.path(), file.content());
            }
            host.reload();
            host.start(UNIT);

            await().atMost(5, SECONDS).until(() -> state(host).active() == Active.FAILED);
            assertThat(state(host).result()).isEqualTo("timeout");
        }
    }
}
