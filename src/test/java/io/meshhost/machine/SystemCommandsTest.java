package io.meshhost.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhost.machine.Commands.Command;
import io.meshhost.machine.Commands.Result;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SystemCommandsTest {
    private final SystemCommands commands = new SystemCommands();

    private Result sh(String script) {
        return commands.run(Command.of("sh", "-c", script));
    }

    @Test
    void outputErrorsAndStatusComeBackApart() {
        assertThat(sh("echo öut; echo err >&2; exit 3")).isEqualTo(new Result(3, "öut\n", "err\n"));
    }

    @Test
    void aSignalIsCountedAsAShellCountsIt() {
        assertThat(sh("kill -TERM $$").status()).isEqualTo(143);
    }

    @Test
    void nothingOfTheCallersEnvironmentIsHandedOn() {
        Command command = new Command(
                List.of("env"), Map.of("GIVEN", "wört"), Optional.empty(), Duration.ofSeconds(10), Optional.empty());
        assertThat(commands.run(command).out().lines())
                .containsExactlyInAnyOrder(
                        "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                        "LC_ALL=C.UTF-8",
                        "GIVEN=wört");
    }

    @Test
    void argumentsArriveAsTheyAre() {
        assertThat(commands.run(Command.of("printf", "%s|", "a b", "$HOME", "*", "ü", "", "\"q\"\n"))
                        .out())
                .isEqualTo("a b|$HOME|*|ü||\"q\"\n|");
    }

    @Test
    void inputIsFedAndEnded() {
        assertThat(commands.run(Command.of("cat").fed("línea")).out()).isEqualTo("línea");
        assertThat(commands.run(Command.of("true").fed("x".repeat(1 << 20))).status())
                .isZero();
    }

    @Test
    void aGrandchildThatHoldsThePipeDoesNotHoldUs() {
        long start = System.nanoTime();
        Result result = sh("echo done; sleep 20 & echo $!");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
        assertThat(result.out()).startsWith("done\n");
        ProcessHandle.of(Long.parseLong(result.out().lines().toList().get(1)))
                .ifPresent(ProcessHandle::destroyForcibly);
    }

    @Test
    void atTheTimeOutTheProgramAndItsDescendantsAreKilled() {
        String mark = "31.4" + ProcessHandle.current().pid();
        Command command = Command.of("sh", "-c", "sleep " + mark + " & sleep " + mark + "; true")
                .within(Duration.ofMillis(300));
        assertThatThrownBy(() -> commands.run(command))
                .isInstanceOf(MachineFailure.class)
                .hasMessageEndingWith(": it did not end within 300 ms and was killed");
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .until(() -> commands.run(Command.of("pgrep", "-f", "^sleep " + mark))
                                .status()
                        == 1);
    }

    @Test
    void aTalkativeProgramIsNotBlockedAndIsCutAtEightMebibytes() {
        Result result = sh("head -c 20000000 /dev/zero | tr '\\0' x; head -c 9000000 /dev/zero >&2");
        assertThat(result.status()).isZero();
        assertThat(result.out()).hasSize(8 * 1024 * 1024);
    }

    @Test
    void whatCannotBeStartedIsSaidInASentence() {
        assertThatThrownBy(() -> commands.run(Command.of("no-such-program", "x")))
                .hasMessage("cannot run no-such-program x: there is no such program; install it");
        assertThatThrownBy(() -> commands.run(Command.of("/no/such")))
                .hasMessage("cannot run /no/such: there is no such program or directory");
        assertThatThrownBy(() -> commands.run(Command.of("/etc/passwd")))
                .hasMessage("cannot run /etc/passwd: it may not be executed");
    }

    @Test
    void namesAreFoundInTheSystemDirectoriesOnly() {
        assertThat(commands.find("sh").map(Path::getFileName)).contains(Path.of("sh"));
        assertThat(commands.find("/bin/sh")).isEmpty();
        assertThat(commands.find("..")).isEmpty();
        assertThat(commands.find("")).isEmpty();
    }

    @Test
    void aFailureQuotesTheLastWords() {
        assertThatThrownBy(() -> commands.mustRun(Command.of("sh", "-c", "echo a >&2; echo why >&2; exit 1")))
                .hasMessageEndingWith(": why");
    }
}
