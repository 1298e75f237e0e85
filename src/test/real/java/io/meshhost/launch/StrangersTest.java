package io.meshhost.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhost.machine.DirectoryLock;
import io.meshhost.machine.Files;
import io.meshhost.machine.LockFile;
import io.meshhost.machine.Probe;
import io.meshhost.machine.Stat;
import io.meshhost.machine.SystemTicker;
import io.meshhost.machine.services.ProcessTable;
import io.meshhost.machine.services.ProcessTable.Entry;
import io.meshhost.testing.Needs;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Other processes that hold what a supervisor asks for: those that are none of ours change nothing. */
@Tag("root")
class StrangersTest {
    private static final String NAME =
            "import socket,sys,time; s=socket.socket(socket.AF_UNIX); s.bind(chr(0)+sys.argv[1]); print('up',flush=True);"
                    + " time.sleep(60)";
    private static final String LOCK =
            "import fcntl,sys,time; f=open(sys.argv[1],'w'); fcntl.lockf(f,fcntl.LOCK_EX); print('up',flush=True);"
                    + " time.sleep(60)";

    @TempDir
    private Path state;

    private final List<Process> started = new ArrayList<>();
    private String python = "";
    private final SystemTicker ticker = new SystemTicker();

    @BeforeEach
    void asRoot() {
        Needs.root();
        Needs.command("setpriv");
        python = Needs.command("python3").toString();
    }

    @AfterEach
    void nothingIsLeft() {
        started.forEach(Process::destroyForcibly);
        ticker.close();
    }

    @Test
    void aNameThatSomebodyElseTookDoesNotKeepTheSupervisorFromStarting() throws Exception {
        Stat stat = new Files(state, Probe.NONE).stat(state).orElseThrow();
        String name = "mesh-host-supervisor-" + stat.device() + "-" + stat.inode();
        DirectoryLock lock = new DirectoryLock(state, "supervisor", new LockFile(ticker));
        Process stranger = start(
                List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", python, "-c", NAME, name), "");
        lock.hold("supervise", _ -> {}).close();

        stranger.destroyForcibly().waitFor();
        Process ours = start(List.of(python, "-c", NAME, name), "");
        assertThatThrownBy(() -> lock.hold("supervise", _ -> {}))
                .hasMessageContaining("another supervisor, pid " + ours.pid());
    }

    @Test
    void aHostOfWhichNobodyWroteThePidDownIsKnownByItsLockAndItsSupervisor() throws Exception {
        Path lock = state.resolve("host.lock");
        Path socket = state.resolve("launcher.sock");
        Leftover leftover = new Leftover(new ProcessTable(Path.of("/proc")), System::nanoTime);
        Process host = start(List.of(python, "-c", LOCK, lock.toString()), socket.toString());
        Optional<Entry> found = leftover.holding(hostLock(), socket);
        assertThat(found.map(Entry::pid)).hasValue((int) host.pid());
        assertThat(leftover.holding(hostLock(), state.resolve("another.sock")))
                .isEmpty();
    }

    @Test
    void aHostThatSomebodyRunsAtATerminalIsLeft() throws Exception {
        Path lock = state.resolve("host.lock");
        Leftover leftover = new Leftover(new ProcessTable(Path.of("/proc")), System::nanoTime);
        start(List.of(python, "-c", LOCK, lock.toString()), "");
        assertThat(leftover.holding(hostLock(), state.resolve("launcher.sock")))
                .isEmpty();
    }

    private DirectoryLock hostLock() {
        return new DirectoryLock(state, "host", new LockFile(ticker));
    }

    private Process start(List<String> words, String launcher) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().remove("MESH_HOST_LAUNCHER");
        if (!launcher.isEmpty()) {
            builder.environment().put("MESH_HOST_LAUNCHER", launcher);
        }
        Process process = builder.start();
        started.add(process);
        // Not closed: that would close the pipe under the process.
        BufferedReader out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        assertThat(out.readLine()).isEqualTo("up");
        return process;
    }
}
