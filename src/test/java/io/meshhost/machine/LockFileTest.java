package io.meshhost.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class LockFileTest {
    @TempDir
    Path dir;

    private final SystemTicker ticker = new SystemTicker();
    private final LockFile locks = new LockFile(ticker);

    @AfterEach
    void stop() {
        ticker.close();
    }

    private Path file() {
        return dir.resolve("apply.lock");
    }

    @Test
    void oneHoldsItAndIsNamedUntilHeGivesItBack() {
        LockFile.Held held = locks.tryHold(file()).orElseThrow();
        assertThat(locks.holder(file())).hasValue(ProcessHandle.current().pid());
        assertThat(locks.tryHold(file())).isEmpty();
        held.close();
        assertThat(locks.holder(file())).isEmpty();
        locks.tryHold(file()).orElseThrow().close();
        assertThat(file()).hasSize(0);
    }

    @Test
    void askingAgainInTheSameProcessDoesNotGiveTheLockAway() throws Exception {
        LockFile.Held held = locks.tryHold(file()).orElseThrow();
        assertThat(new LockFile(ticker).tryHold(file())).isEmpty();
        assertThat(locks.tryHold(file())).isEmpty();
        assertThat(other("True").getInputStream().read()).isEqualTo('n');
        held.close();
    }

    @Test
    void anotherProcessIsWaitedForAndNamed() throws Exception {
        Process other = other("sys.stdin.readline()");
        assertThat(other.getInputStream().read()).isEqualTo('y');
        assertThat(locks.hold(file(), Duration.ofMillis(120))).isEmpty();
        assertThat(locks.holder(file())).hasValue(other.pid());
        other.destroyForcibly();
        Optional<LockFile.Held> held = locks.hold(file(), Duration.ofSeconds(20));
        assertThat(held).isPresent();
        held.get().close();
    }

    @Test
    void writersAreFoundByInodeAndReadersAreNot() throws Exception {
        java.nio.file.Files.writeString(file(), "x");
        java.nio.file.Files.createLink(dir.resolve("other-name"), file());
        Process writer = shell("exec 3>>other-name; echo y; read x");
        Process reader = shell("exec 3<apply.lock; echo y; read x");
        assertThat(writer.getInputStream().read() + reader.getInputStream().read())
                .isEqualTo(2 * 'y');
        assertThat(OpenFiles.writers(file())).containsExactly((int) writer.pid());
        writer.destroyForcibly();
        reader.destroyForcibly();
        Awaitility.await().until(() -> OpenFiles.writers(file()).isEmpty());
        assertThat(OpenFiles.writers(dir.resolve("absent"))).isEmpty();
    }

    /** Says y when it has the lock, n when not; fcntl(2) by way of Python. */
    private Process other(String then) throws IOException {
        String script = "import fcntl,sys\nf=open('apply.lock','w')\n"
                + "try: fcntl.lockf(f, fcntl.LOCK_EX|fcntl.LOCK_NB); print('y',flush=True)\n"
                + "except OSError: print('n',flush=True)\n" + then + "\n";
        return new ProcessBuilder("python3", "-c", script)
                .directory(dir.toFile())
                .start();
    }

    private Process shell(String script) throws IOException {
        Process process =
                new ProcessBuilder("sh", "-c", script).directory(dir.toFile()).start();
        BufferedReader errors = process.errorReader(StandardCharsets.UTF_8);
        assertThat(errors).isNotNull();
        return process;
    }
}
