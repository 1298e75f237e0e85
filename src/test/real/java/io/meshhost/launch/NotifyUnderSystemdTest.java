package io.meshhost.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.meshhost.testing.Needs;
import io.meshhost.testing.Shell;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a real systemd is told, by a unit of Type=notify with a watchdog. */
@Tag("systemd")
class NotifyUnderSystemdTest {
    /** Each test has one of its own: the journal keeps what the others did. */
    private final String unit = "mht-launch-" + System.nanoTime() + ".service";

    @TempDir
    private Path temp;

    private Supervised machine;

    @BeforeEach
    void aMachine() throws Exception {
        machine = new Supervised(temp.toRealPath());
        Needs.systemd();
    }

    @AfterEach
    void gone() throws Exception {
        Shell.run(List.of("systemctl", "kill", "--signal=KILL", unit));
        Shell.run(List.of("systemctl", "stop", unit));
        Shell.run(List.of("systemctl", "reset-failed", unit));
        machine.close();
    }

    private void begin() throws Exception {
        List<String> words = new ArrayList<>(List.of(
                "systemd-run", "--quiet", "--no-block", "--unit=" + unit, "--description=the supervisor",
                "--service-type=notify", "-p", "WorkingDirectory=" + Path.of("").toAbsolutePath(),
                "-p", "NotifyAccess=main", "-p", "WatchdogSec=2", "-p", "Restart=on-failure", "-p", "RestartSec=60",
                "-p", "TimeoutStartSec=infinity", "-p", "KillMode=mixed", "--setenv=LC_ALL=C.UTF-8"));
        machine.environment().forEach((name, value) -> words.add("--setenv=" + name + "=" + value));
        // env(1) is left out: systemd starts its services with every signal at its default.
        words.addAll(Launched.words().subList(2, Launched.words().size()));
        Shell.must(words.toArray(String[]::new));
    }

    private String show(String... properties) throws Exception {
        List<String> words = new ArrayList<>(List.of("systemctl", "show", "--value", unit));
        for (String property : properties) {
            words.add("-p");
            words.add(property);
        }
        return Shell.must(words.toArray(String[]::new)).strip().replace("\n", " ");
    }

    private void until(String value, String... properties) {
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(100))
                .untilAsserted(() -> assertThat(show(properties)).isEqualTo(value));
    }

    @Test
    void itIsReadyWhenTheHostIsAndTheWatchdogIsFedUntilItIsStopped() throws Exception {
        machine.host("a", "env > env; echo up >> log; while [ ! -e go ]; do sleep 0.05; done;"
                + " echo a > state/known-good; exec sleep 600");
        begin();
        machine.untilLogged("up");
        assertThat(show("ActiveState")).isEqualTo("activating");
        assertThat(machine.lines("env"))
                .noneMatch(line -> line.startsWith("NOTIFY_SOCKET=") || line.startsWith("WATCHDOG_"));
        Shell.must("touch", temp.resolve("go").toString());
        until("active", "ActiveState");
        until("version a runs, pid " + machine.lines("pids").getFirst(), "StatusText");
        // Three times the watchdog's patience.
        await().pollDelay(Duration.ofSeconds(6)).atMost(Duration.ofSeconds(30)).until(() -> true);
        assertThat(show("ActiveState", "NRestarts")).isIn("0 active", "active 0");
        Shell.must("systemctl", "stop", unit);
        assertThat(machine.alive()).isEmpty();
        assertThat(Shell.must("journalctl", "-u", unit, "-o", "cat")).doesNotContain("Failed with result");
    }

    @Test
    void aHaltIsAStartThatSucceededAndSaysWhy() throws Exception {
        machine.room.write("halted", "a person must look\n");
        begin();
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(Shell.must("journalctl", "-u", unit, "-o", "cat"))
                        .contains("halted: a person must look", "Deactivated successfully"));
        assertThat(Shell.must("journalctl", "-u", unit, "-o", "cat"))
                .contains("Started " + unit + " - the supervisor")
                .doesNotContain("Failed with result");
    }

    @Test
    void oneThatIsStuckIsEndedByTheWatchdog() throws Exception {
        machine.host("a", "echo a > state/known-good; exec sleep 600");
        begin();
        until("active", "ActiveState");
        String pid = show("MainPID");
        Shell.must("kill", "-STOP", pid);
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(Shell.must("journalctl", "-u", unit, "-o", "cat"))
                        .contains("Failed with result 'watchdog'"));
    }
}
