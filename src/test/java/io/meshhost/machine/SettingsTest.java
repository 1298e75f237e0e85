package io.meshhost.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
    private final Map<String, String> environment = new HashMap<>();
    private final Map<Variable, String> options = new HashMap<>();
    private final Map<String, String> files = new HashMap<>();
    private final Map<String, String> distrusted = new HashMap<>();

    private Settings settings(boolean trustFile) {
        return new Settings(environment, options, trustFile, new Settings.Disk() {
            @Override
            public Optional<String> text(Path file) {
                return Optional.ofNullable(files.get(file.toString()));
            }

            @Override
            public boolean exists(Path file) {
                return files.containsKey(file.toString());
            }

            @Override
            public Optional<String> distrust(Path file) {
                return Optional.ofNullable(distrusted.get(file.toString()));
            }
        });
    }

    private Settings settings() {
        return settings(false);
    }

    private void hostEnv(String text) {
        files.put("/etc/mesh-host/host.env", text);
    }

    @Test
    void withoutAnythingTheNamesInTheFieldCount() {
        Settings settings = settings();
        assertThat(settings.places())
                .isEqualTo(new Places(
                        Path.of("/"),
                        Path.of("/var/lib/mesh-host"),
                        Path.of("/var/lib/mesh/daemons"),
                        Path.of("/etc/systemd/system"),
                        Path.of("/usr/lib/nox-mesh-host"),
                        Path.of("/run/mesh-host/control.sock"),
                        Optional.empty()));
        assertThat(settings.place(Variable.BIN)).isEqualTo(Path.of("/usr/bin/nox-mesh-host"));
        assertThat(settings.place(Variable.DATA_DIR)).isEqualTo(Path.of("/var/lib/mesh/data"));
        assertThat(settings.count(Variable.START_LIMIT)).isEqualTo(3);
        assertThat(settings.time(Variable.BACKOFF)).isEqualTo(Duration.ofSeconds(5));
        assertThat(settings.time(Variable.START_TIMEOUT)).isEqualTo(Duration.ofMinutes(5));
        assertThat(settings.time(Variable.STOP_TIMEOUT)).isEqualTo(Duration.ofSeconds(90));
        assertThat(settings.complaints()).isEmpty();
    }

    @Test
    void anOptionWinsOverTheEnvironmentAndThatOverTheFile() {
        hostEnv("MESH_HOST_STATE_DIR=/file\nMESH_HOST_DATA_DIR=/file\nMESH_HOST_UNIT_DIR=/file\n");
        environment.put("MESH_HOST_STATE_DIR", "/environment");
        environment.put("MESH_HOST_DATA_DIR", "/environment");
        options.put(Variable.STATE_DIR, "/option");
        Settings settings = settings();
        assertThat(settings.place(Variable.STATE_DIR)).isEqualTo(Path.of("/option"));
        assertThat(settings.place(Variable.DATA_DIR)).isEqualTo(Path.of("/environment"));
        assertThat(settings.place(Variable.UNIT_DIR)).isEqualTo(Path.of("/file"));
    }

    @Test
    void theFileIsLinesWithoutAShell() {
        hostEnv("""
                # a comment
                  MESH_HOST_BACKOFF = "2.5"

                MESH_HOST_DATA_DIR='/a b/$HOME#x'
                export NOPE
                MESH_HOST_STAT_DIR=/x
                """);
        Settings settings = settings();
        assertThat(settings.time(Variable.BACKOFF)).isEqualTo(Duration.ofMillis(2500));
        assertThat(settings.place(Variable.DATA_DIR)).isEqualTo(Path.of("/a b/$HOME#x"));
        assertThat(settings.complaints())
                .containsExactly(
                        "/etc/mesh-host/host.env:5: is not KEY=VALUE; the line is ignored",
                        "/etc/mesh-host/host.env:6: MESH_HOST_STAT_DIR is not a setting of this program");
    }

    @Test
    void aBadValueIsSaidAndTheDefaultCounts() {
        environment.put("MESH_HOST_BACKOFF", "5m");
        environment.put("MESH_HOST_START_LIMIT", "0");
        environment.put("MESH_HOST_STOP_TIMEOUT", "-1");
        environment.put("MESH_HOST_STATE_DIR", "relative/dir");
        environment.put("MESH_HOST_DATA_DIR", "/a/../b");
        Settings settings = settings();
        assertThat(settings.complaints()).as("before anything is read").hasSize(5);
        assertThat(settings.time(Variable.BACKOFF)).isEqualTo(Duration.ofSeconds(5));
        assertThat(settings.time(Variable.STOP_TIMEOUT)).isEqualTo(Duration.ofSeconds(90));
        assertThat(settings.count(Variable.START_LIMIT)).isEqualTo(3);
        assertThat(settings.place(Variable.STATE_DIR)).isEqualTo(Path.of("/var/lib/mesh-host"));
        assertThat(settings.place(Variable.DATA_DIR)).isEqualTo(Path.of("/var/lib/mesh/data"));
        assertThat(settings.complaints())
                .hasSize(5)
                .contains("MESH_HOST_BACKOFF of the environment is \"5m\", which is not a number of seconds; using 5");
        assertThat(settings.places().stateDir()).isEqualTo(Path.of("/var/lib/mesh-host"));
        assertThat(settings.complaints()).hasSize(5);
    }

    @Test
    void decimalsOfSecondsCount() {
        environment.put("MESH_HOST_BACKOFF", "0");
        environment.put("MESH_HOST_STOP_TIMEOUT", ".25");
        assertThat(settings().time(Variable.BACKOFF)).isEqualTo(Duration.ZERO);
        assertThat(settings().time(Variable.STOP_TIMEOUT)).isEqualTo(Duration.ofMillis(250));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "0.5", ".999", "-1", "10m"})
    void theTimeBetweenTwoLooksIsASecondOrMore(String value) {
        environment.put("MESH_HOST_RECONCILE_EVERY", value);
        Settings settings = settings();
        assertThat(settings.complaints())
                .containsExactly("MESH_HOST_RECONCILE_EVERY of the environment is \"" + value
                        + "\", which is not a number of seconds from 1, as 600 or 1.5; using 600");
        assertThat(settings.time(Variable.RECONCILE_EVERY)).isEqualTo(Duration.ofMinutes(10));
        environment.put("MESH_HOST_RECONCILE_EVERY", "1");
        assertThat(settings().time(Variable.RECONCILE_EVERY)).isEqualTo(Duration.ofSeconds(1));
        assertThat(settings().complaints()).isEmpty();
    }

    @Test
    void aRootGoesBeforeEverything() {
        options.put(Variable.ROOT, "/home/me/try");
        environment.put("MESH_HOST_STATE_DIR", "/state");
        environment.put("MESH_HOST_DATA_DIR", "/home/me/try/data");
        files.put("/home/me/try/etc/mesh-host/host.env", "MESH_HOST_BACKOFF=7");
        files.put("/home/me/try/etc/mesh-host/declaration.yaml", "");
        hostEnv("MESH_HOST_BACKOFF=9");
        Settings settings = settings();
        assertThat(settings.places())
                .isEqualTo(new Places(
                        Path.of("/home/me/try"),
                        Path.of("/home/me/try/state"),
                        Path.of("/home/me/try/var/lib/mesh/daemons"),
                        Path.of("/home/me/try/etc/systemd/system"),
                        Path.of("/home/me/try/usr/lib/nox-mesh-host"),
                        Path.of("/home/me/try/run/mesh-host/control.sock"),
                        Optional.of(Path.of("/home/me/try/etc/mesh-host/declaration.yaml"))));
        assertThat(settings.place(Variable.DATA_DIR)).isEqualTo(Path.of("/home/me/try/data"));
        assertThat(settings.time(Variable.BACKOFF)).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void aBadRootIsNeverTakenForTheRealMachine() {
        environment.put("MESH_HOST_ROOT", "try");
        assertThatThrownBy(this::settings)
                .isInstanceOf(MachineFailure.class)
                .hasMessageContaining("cannot use the root \"try\" of MESH_HOST_ROOT");
    }

    @Test
    void aNamedDeclarationMayLieOutsideTheRoot() {
        options.put(Variable.ROOT, "/r");
        options.put(Variable.DECLARATION, "/home/me/d.yml");
        assertThat(settings().places().declaration()).contains(Path.of("/home/me/d.yml"));
    }

    @Test
    void twoDefaultDeclarationsAreRefusedAndAYmlIsNotLookedFor() {
        files.put("/etc/mesh-host/declaration.yml", "");
        assertThat(settings().places().declaration()).isEmpty();
        assertThat(settings().declarationFault()).isEmpty();
        files.put("/etc/mesh-host/declaration.yaml", "");
        files.put("/etc/mesh-host/declaration.json", "");
        assertThat(settings().places().declaration()).isEmpty();
        assertThat(settings().declarationFault())
                .contains("cannot choose a declaration: both /etc/mesh-host/declaration.json and"
                        + " /etc/mesh-host/declaration.yaml are there; remove one, or set MESH_HOST_DECLARATION");
        options.put(Variable.DECLARATION, "/etc/mesh-host/declaration.json");
        assertThat(settings().declarationFault()).isEmpty();
    }

    @Test
    void aSocketPathOf108BytesIsOneErrorThatNamesLimitAndVariable() {
        options.put(Variable.CONTROL, "/" + "x".repeat(106));
        assertThat(settings().socketFault()).isEmpty();
        options.put(Variable.CONTROL, "/" + "é".repeat(53) + "x");
        assertThat(settings().socketFault().orElseThrow())
                .contains("has 108 bytes and Linux allows 107")
                .contains("MESH_HOST_CONTROL");
    }

    @Test
    void aFileThatOthersMayWriteIsRefusedUnlessTrusted() {
        hostEnv("MESH_HOST_BACKOFF=7");
        distrusted.put("/etc/mesh-host/host.env", "cannot trust it");
        assertThatThrownBy(this::settings).isInstanceOf(MachineFailure.class).hasMessage("cannot trust it");
        assertThat(settings(true).time(Variable.BACKOFF)).isEqualTo(Duration.ofSeconds(7));
    }
}
