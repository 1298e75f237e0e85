package io.meshhost.machine.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.services.ProcessSpec.Limits;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class BuiltinDescriptionTest {
    private static final Path FILE = Path.of("/state/processes/web.service.json");

    private static ProcessSpec readBack(ProcessSpec spec) {
        return BuiltinDescription.read(
                BuiltinDescription.service(spec),
                spec.schedule().map(schedule -> BuiltinDescription.timer(spec, schedule)),
                FILE);
    }

    @Test
    void aPlainDaemonIsAFewReadableLines() {
        ProcessSpec spec = Specs.daemon("web", "/srv/web/serve", "--port", "80")
                .in(Path.of("/srv/web"))
                .env(Map.of("MODE", "fast"))
                .spec();

        assertThat(BuiltinDescription.service(spec)).isEqualTo("""
                {
                  "comment" : "Written by mesh-host from the declaration; a change made here is undone by the next apply.",
                  "name" : "web",
                  "description" : "the web process",
                  "run" : [ "/srv/web/serve", "--port", "80" ],
                  "directory" : "/srv/web",
                  "env" : {
                    "MODE" : "fast"
                  }
                }
                """);
    }

    @Test
    void everyFieldComesBackAsItWas() {
        ProcessSpec spec = Specs.daemon("web", "/bin/a b", "", "\n\t\"'\\%$é€\u0001")
                .in(Path.of("/srv/é"))
                .env(Map.of("A", "x\ny", "B", ""))
                .as("nobody")
                .limited(new Limits(
                        OptionalLong.of(1L << 40), OptionalDouble.of(1.5), OptionalLong.of(7), OptionalLong.of(1024)))
                .fenced(ProcessSpec.Sandbox.STRICT)
                .at(new Schedule(Cron.parse("*/5 * * * *"), Optional.of(ZoneId.of("Europe/Vienna"))))
                .within(Duration.ofMillis(1500))
                .secret(Path.of("/state/secrets/web"), Map.of(), Path.of("/etc/a.env"), Path.of("/etc/b.env"))
                .spec();

        assertThat(readBack(spec)).isEqualTo(spec);
    }

    @Test
    void secretsAreNeverInIt() {
        ProcessSpec spec = Specs.daemon("web", "/bin/true")
                .secret(Path.of("/state/secrets/web"), Map.of("TOKEN", "hunter2"))
                .spec();

        assertThat(BuiltinDescription.service(spec)).doesNotContain("hunter2").doesNotContain("TOKEN");
        assertThat(readBack(spec)).isEqualTo(BuiltinDescription.visible(spec));
    }

    @Test
    void aDamagedOneIsNamed() {
        assertThatThrownBy(() -> BuiltinDescription.read("{\"name\": \"web\"}", Optional.empty(), FILE))
                .isInstanceOf(MachineFailure.class)
                .hasMessage("cannot read /state/processes/web.service.json: it is not a description that the host"
                        + " wrote; apply again to renew it");
    }
}
