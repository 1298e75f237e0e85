package io.meshhost.machine.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.services.BuiltinCommand.Login;
import io.meshhost.machine.services.BuiltinCommand.Tools;
import io.meshhost.machine.services.ProcessSpec.Limits;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class BuiltinCommandTest {
    private static final Tools ALL = tools(Long.MAX_VALUE);
    private static final Tools NONE =
            new Tools(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Long.MAX_VALUE);
    private static final Login WEB = new Login("web", 1001, 1002, "/home/web", "/bin/bash");
    private static final Limits FILES =
            new Limits(OptionalLong.empty(), OptionalDouble.empty(), OptionalLong.empty(), OptionalLong.of(1024));

    private static Tools tools(long mostFiles) {
        return new Tools(
                Optional.of(Path.of("/bin/setpriv")),
                Optional.of(Path.of("/bin/setsid")),
                Optional.of(Path.of("/bin/prlimit")),
                Optional.of(Path.of("/bin/env")),
                mostFiles);
    }

    private static BuiltinCommand of(Specs spec, Optional<Login> login, Map<String, String> files, Tools tools) {
        return BuiltinCommand.of(spec.spec(), login, files, "cafe", tools);
    }

    @Test
    void aProcessDiesWithItsParentAndHasASessionOfItsOwn() {
        assertThat(of(Specs.daemon("web", "/srv/serve", "-x"), Optional.empty(), Map.of(), ALL)
                        .argv())
                .containsExactly("/bin/setpriv", "--pdeathsig", "KILL", "--", "/bin/setsid", "--", "/srv/serve", "-x");
    }

    @Test
    void theLimitIsRaisedBeforeTheRightsToDoSoAreGivenUp() {
        assertThat(of(Specs.daemon("web", "/srv/serve").limited(FILES), Optional.of(WEB), Map.of(), ALL)
                        .argv())
                .containsExactly(
                        "/bin/prlimit",
                        "--nofile=1024:1024",
                        "--",
                        "/bin/setpriv",
                        "--reuid",
                        "1001",
                        "--regid",
                        "1002",
                        "--init-groups",
                        "--pdeathsig",
                        "KILL",
                        "--",
                        "/bin/setsid",
                        "--",
                        "/srv/serve");
    }

    @Test
    void aLimitAboveOurOwnIsGivenAsFarAsWeMay() {
        assertThat(of(Specs.daemon("web", "/srv/serve").limited(FILES), Optional.empty(), Map.of(), tools(512))
                        .argv())
                .contains("--nofile=512:512");
    }

    @Test
    void theEnvironmentIsWhatWasDeclaredAndWhatSystemdGives() {
        BuiltinCommand command = of(
                Specs.daemon("web", "/srv/serve").env(Map.of("A", "1", "HOME", "/elsewhere")),
                Optional.of(WEB),
                Map.of(),
                ALL);

        assertThat(command.environment())
                .containsExactly(
                        Map.entry("A", "1"),
                        Map.entry("HOME", "/elsewhere"),
                        Map.entry("INVOCATION_ID", "cafe"),
                        Map.entry("LOGNAME", "web"),
                        Map.entry("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"),
                        Map.entry("SHELL", "/bin/bash"),
                        Map.entry("USER", "web"));
    }

    @Test
    void filesWinOverSecretsAndSecretsOverPlainValues() {
        BuiltinCommand command = of(
                Specs.daemon("web", "/srv/serve")
                        .env(Map.of("A", "plain", "B", "plain", "C", "plain"))
                        .secret(Path.of("/s"), Map.of("B", "secret", "C", "secret")),
                Optional.empty(),
                Map.of("C", "file"),
                ALL);

        assertThat(command.environment())
                .containsEntry("A", "plain")
                .containsEntry("B", "secret")
                .containsEntry("C", "file");
    }

    @Test
    void whatTheLinkerObeysNeverReachesAProgramThatIsStillRoot() {
        BuiltinCommand command = of(
                Specs.daemon("web", "/srv/serve").env(Map.of("LD_PRELOAD", "/srv/evil.so")),
                Optional.of(WEB),
                Map.of(),
                ALL);

        assertThat(command.environment()).doesNotContainKey("LD_PRELOAD");
        assertThat(command.argv()).endsWith("/bin/setsid", "--", "/bin/env", "LD_PRELOAD=/srv/evil.so", "/srv/serve");
    }

    @Test
    void withoutUtilLinuxTheProcessRunsBare() {
        assertThat(of(Specs.daemon("web", "/srv/serve").limited(FILES), Optional.empty(), Map.of(), NONE)
                        .argv())
                .containsExactly("/srv/serve");
    }

    @Test
    void withoutSetprivNoOtherUserIsPretended() {
        assertThatThrownBy(() -> of(Specs.daemon("web", "/srv/serve"), Optional.of(WEB), Map.of(), NONE))
                .isInstanceOf(MachineFailure.class)
                .hasMessage("cannot start web as web: there is no setpriv; install util-linux");
    }

    @Test
    void aNumberWithoutAnAccountHasNoGroups() {
        assertThat(of(
                                Specs.daemon("web", "/srv/serve"),
                                Optional.of(new Login("4711", 4711, 4711, "/", "/bin/sh")),
                                Map.of(),
                                ALL)
                        .argv())
                .contains("--clear-groups")
                .doesNotContain("--init-groups");
    }

    @Test
    void whatIsNotHeldIsSaid() {
        ProcessSpec spec = Specs.daemon("web", "/srv/serve")
                .as("web")
                .fenced(ProcessSpec.Sandbox.STANDARD)
                .limited(
                        new Limits(OptionalLong.of(1), OptionalDouble.of(1), OptionalLong.of(1), OptionalLong.of(1024)))
                .spec();

        assertThat(BuiltinCommand.limitsNotEnforced(spec, true, ALL))
                .containsExactly("memory", "cpu", "tasks", "sandbox");
        assertThat(BuiltinCommand.limitsNotEnforced(spec, false, tools(512)))
                .containsExactly("memory", "cpu", "tasks", "files", "sandbox", "user");
    }
}
