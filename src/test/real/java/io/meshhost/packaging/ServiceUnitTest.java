package io.meshhost.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.testing.Needs;
import io.meshhost.testing.Shell;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** packaging/nox-mesh-host.service as systemd reads it, and what the README says of it. */
@Tag("root")
class ServiceUnitTest {
    private static final Path UNIT = Path.of("packaging/nox-mesh-host.service");

    @BeforeEach
    void onAMachineWithSystemdsPrograms() {
        Needs.command("systemd-analyze");
    }

    @Test
    void theScoreInTheReadmeIsWhatSystemdSays() throws Exception {
        String report = Shell.must("systemd-analyze", "security", "--no-pager", "--offline=true", UNIT.toString());
        String score = found(report, "Overall exposure level for nox-mesh-host.service: ([0-9.]+)");
        String version = found(Shell.must("systemctl", "--version"), "systemd ([0-9]+)");

        assertThat(Files.readString(Path.of("README.md")))
                .contains("`systemd-analyze security` (systemd " + version + ") gives the unit " + score + " of 10");
    }

    /** What SPEC 1 asks of it, word for word. */
    @Test
    void theUnitSaysWhatTheSupervisorReliesOn() throws Exception {
        assertThat(Files.readAllLines(UNIT))
                .containsAll(List.of(
                        "Type=notify",
                        "NotifyAccess=main",
                        "ExecStart=/usr/lib/nox-mesh-host/launch",
                        "TimeoutStartSec=infinity",
                        "TimeoutStopSec=120",
                        "Restart=on-failure",
                        "RestartSec=5",
                        "StartLimitIntervalSec=0",
                        "KillMode=mixed",
                        "Environment=LC_ALL=C.UTF-8",
                        "RuntimeDirectory=mesh-host",
                        "RuntimeDirectoryMode=0700"));
    }

    private static String found(String text, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        assertThat(matcher.find()).as("%s in: %s", pattern, text).isTrue();
        return matcher.group(1);
    }
}
