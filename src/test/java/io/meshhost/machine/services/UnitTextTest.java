package io.meshhost.machine.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.services.ProcessSpec.Limits;
import io.meshhost.machine.services.ProcessSpec.Sandbox;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnitTextTest {
    private static String golden(String name) throws IOException {
        try (InputStream in = UnitTextTest.class.getResourceAsStream("units/" + name)) {
            assertThat(in).as(name).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String service(Specs specs) {
        return UnitText.service(specs.spec());
    }

    @Test
    void aDaemonIsKeptUp() throws IOException {
        Specs web = Specs.daemon("web", "/var/lib/mesh/daemons/web/bin/web", "--port", "8080")
                .in(Path.of("/var/lib/mesh/daemons/web"))
                .env(Map.of("GREETING", "say \"hi\" at 100% for $5", "HOST", "ä"))
                .as("www-data")
                .described("web of shop 1.2");
        assertThat(service(web)).isEqualTo(golden("daemon.service"));
    }

    @Test
    void everyFieldHasItsDirective() throws IOException {
        Specs full = Specs.daemon("full", "/usr/bin/full")
                .in(Path.of("/var/lib/mesh/daemons/full"))
                .env(Map.of("A", "1"))
                .secret(
                        Path.of("/var/lib/mesh-host/secrets/full.env"),
                        Map.of("TOKEN", "hidden"),
                        Path.of("/etc/full/a.env"),
                        Path.of("/etc/full/b.env"))
                .limited(new Limits(
                        OptionalLong.of(512L << 20),
                        OptionalDouble.of(1.5),
                        OptionalLong.of(100),
                        OptionalLong.of(1024)))
                .fenced(Sandbox.STANDARD);
        assertThat(service(full)).isEqualTo(golden("full.service")).doesNotContain("hidden");
    }

    @Test
    void aStrictDaemonMayWriteItsOwnDirectoryOnly() throws IOException {
        Specs strict = Specs.daemon("strict", "/srv/strict dir/run")
                .in(Path.of("/srv/strict dir"))
                .fenced(Sandbox.STRICT);
        assertThat(service(strict)).isEqualTo(golden("strict.service"));
    }

    @Test
    void aScheduledProcessHasATimerAndIsNotStartedAtBoot() throws IOException {
        Schedule schedule = new Schedule(Cron.parse("30 0 1 * 1"), Optional.of(ZoneId.of("Europe/Berlin")));
        Specs job = Specs.daemon("job", "/usr/bin/job").at(schedule).within(Duration.ofMinutes(90));
        assertThat(service(job)).isEqualTo(golden("job.service"));
        assertThat(UnitText.timer(job.spec(), schedule)).isEqualTo(golden("job.timer"));
    }

    @Test
    void aStepIsNeverKeptOrEnabled() throws IOException {
        Specs step = Specs.daemon("migrate", "/usr/bin/migrate").step().within(Duration.ofHours(1));
        assertThat(service(step)).isEqualTo(golden("step.service"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void oneUnitHasOneType(boolean scheduled) {
        Specs specs = Specs.daemon("one", "/bin/true", "Type=simple\nType=forking");
        String text = service(scheduled ? specs.at("@daily") : specs);
        assertThat(text.lines().filter(line -> line.startsWith("Type="))).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = { // UE-01, UE-02, UE-03, UE-05, UE-06
                "job 50% done on host %H | \"V=job 50%% done on host %%H\"",
                "100%                    | \"V=100%%\"",
                "say \"hi\"              | \"V=say \\\"hi\\\"\"",
                "'x'                     | \"V='x'\"",
                "C:\\dir\\               | \"V=C:\\\\dir\\\\\"",
                "a$b$$c                  | \"V=a$b$$c\"",
            })
    void aValueIsEscaped(String value, String written) {
        assertThat(service(Specs.daemon("x", "/bin/true").env(Map.of("V", value))))
                .contains("\nEnvironment=" + written + "\n");
    }

    @Test
    void noValueAddsALine() { // UE-05
        String evil = "x\nExecStartPre=/bin/sh -c id\r\nType=simple\u0085\u2028\u0007";
        Specs plain = Specs.daemon("x", "/bin/true", "a").described("d").env(Map.of("V", "v"));
        Specs specs = Specs.daemon("x", "/bin/true", evil).described(evil).env(Map.of("V", evil));
        assertThat(service(specs).split("[\n\r]")).hasSameSizeAs(service(plain).split("[\n\r]"));
        assertThat(service(specs)).contains("\"V=x\\nExecStartPre=/bin/sh -c id\\r\\nType=simple\u0085\u2028\\x07\"");
    }

    @Test
    void aNulIsRefused() {
        assertThatExceptionOfType(MachineFailure.class)
                .isThrownBy(() -> service(Specs.daemon("x", "/bin/true", "a\0b")))
                .withMessageContaining("NUL");
    }

    @Test
    void dollarsOfACommandAreDoubled() { // UE-06
        assertThat(service(Specs.daemon("x", "/bin/echo", "/opt/cache$HOME/x", "a$$b", "${X}", "$", "%h", "")))
                .contains(
                        "\nExecStart=\"/bin/echo\" \"/opt/cache$$HOME/x\" \"a$$$$b\" \"$${X}\" \"$$\" \"%%h\" \"\"\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a$b", "/a\"b", "/a'b", "/a\\b", "/a\nb"})
    void aPathThatSystemdRefusesIsRunByAShell(String path) { // UE-08
        assertThat(service(Specs.daemon("x", path)))
                .contains("\nExecStart=\"/bin/sh\" \"-c\" \"exec \\\"$$@\\\"\" \"sh\" \"/a");
    }

    @Test
    void aTextThatEndsInABackslashTakesNoLineAlong() { // UE-03
        assertThat(service(Specs.daemon("x", "/bin/true").described("it is in C:\\")))
                .contains("\nDescription=it is in C:\\ \nAfter=");
        assertThat(service(Specs.daemon("x", "/bin/true").in(Path.of("/srv/dir\\"))))
                .contains("\nWorkingDirectory=/srv/dir\\/\n");
    }

    @Test
    void aPathOfALineBreakIsRefusedWhereItCannotBeQuoted() {
        assertThatExceptionOfType(MachineFailure.class)
                .isThrownBy(() -> service(Specs.daemon("x", "/bin/true").in(Path.of("/srv/a\nUser=root"))))
                .withMessageContaining("control character");
    }

    @Test
    void anEnvironmentFileIsNoPattern() {
        Specs specs = Specs.daemon("x", "/bin/true").secret(Path.of("/s"), Map.of(), Path.of("/etc/a[1]*%.env"));
        assertThat(service(specs)).contains("\nEnvironmentFile=/etc/a\\[1\\]\\*%%.env\n");
    }

    @Test
    void secretsAreQuotedAsTheirFileWantsIt() {
        TreeMap<String, String> secrets = new TreeMap<>(Map.of("A", "a\"b\\c$d`e'f#g", "B", "-----BEGIN\nMIIB\n"));
        assertThat(UnitText.secrets(secrets))
                .startsWith(UnitText.HEADER)
                .endsWith("\nA=\"a\\\"b\\\\c\\$d\\`e'f#g\"\nB=\"-----BEGIN\nMIIB\n\"\n");
    }

    @ParameterizedTest
    @CsvSource({"1.5, 150%", "1, 100%", "0.015, 1.5%", "0.33333, 33.33%", "0.00001, 0.01%", "64, 6400%"})
    void coresAreHundredsOfPercent(double cores, String quota) {
        assertThat(UnitText.percent(cores)).isEqualTo(quota);
    }

    @Test
    void onlyWhatBeginsWithTheHeaderIsOurs() {
        assertThat(UnitText.ours(service(Specs.daemon("x", "/bin/true")))).isTrue();
        assertThat(UnitText.ours("[Unit]\n" + UnitText.HEADER)).isFalse();
        assertThat(UnitText.ours("")).isFalse();
    }
}
