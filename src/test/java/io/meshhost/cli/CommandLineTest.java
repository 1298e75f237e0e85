package io.meshhost.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.apply.ApplyFailure;
import io.meshhost.apply.Report;
import io.meshhost.declaration.Fault;
import io.meshhost.machine.MachineFailure;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is refused, what fails, and how that is told; and the exit codes. */
class CommandLineTest extends CommandLineFixture {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "--nonsense",
                "validate --nonsense FILE",
                "validate FILE --nonsense",
                "validate FILE extra",
                "apply --root --json FILE",
                "apply --root",
                "apply --jsn FILE",
                "apply --artifact web FILE",
                "plan --exit-code=maybe FILE",
                "status extra",
                "status --limit 3",
                "history a/b c/d",
                "history --limit many",
                "schema extra",
                "version --json",
                "completion zsh",
                "help nonsense",
                "frobnicate",
                "apply @FILE extra"
            })
    void whatIsNotUnderstoodIsRefusedWhereverItStands(String line) {
        int code = run(line.replace("FILE", file.toString()).split(" "));
        assertThat(code).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).contains("--help").doesNotContain("\tat ");
    }

    @Test
    void aCallWithoutACommandIsRefused() {
        assertThat(run()).isEqualTo(2);
        assertThat(err.toString()).isEqualTo("nox-mesh-host: a command is missing; see nox-mesh-host --help\n");
    }

    @Test
    void aFileThatIsNotThereIsTwo() {
        assertThat(run("validate", dir.resolve("none.yaml").toString())).isEqualTo(2);
        assertThat(err.toString()).startsWith("nox-mesh-host: cannot read ").contains("none.yaml");
    }

    @Test
    void standardInputIsRefused() {
        assertThat(run("apply", "-")).isEqualTo(2);
        assertThat(err.toString()).contains("standard input");
    }

    @Test
    void withoutFileAndWithoutADeclarationOfTheMachineTheCallIsWrong() {
        assertThat(run("apply")).isEqualTo(2);
        assertThat(err.toString()).contains("declaration.json or ").contains("declaration.yaml");
    }

    @Test
    void faultsAreToldWithTheirPlacesAndTheExitIsThree() {
        refuse();
        assertThat(run("validate", file.toString())).isEqualTo(3);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).isEqualTo("d.yaml:3:5: /modules/0/slug: it is empty; give it a name\n");
    }

    @Test
    void faultsAsJsonGoToStdout() {
        refuse();
        assertThat(run("validate", "--json", file.toString())).isEqualTo(3);
        assertThat(out.toString())
                .isEqualTo("{\"ok\":false,\"faults\":[{\"file\":\"d.yaml\",\"line\":3,\"column\":5,"
                        + "\"pointer\":\"/modules/0/slug\",\"message\":\"it is empty; give it a name\"}]}\n");
        assertThat(err.toString()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"plan", "apply"})
    void aRefusedDeclarationTouchesNothingAndIsThree(String command) {
        refuse();
        host.apply = (declared, options) -> {
            throw new AssertionError("touched");
        };
        assertThat(run(command, file.toString())).isEqualTo(3);
        assertThat(err.toString())
                .contains("d.yaml:3:5:")
                .contains("it has 1 fault; nothing was touched, see nox-mesh-host validate " + file);
    }

    private void refuse() {
        host.declaration = Optional.empty();
        host.faults = List.of(new Fault("d.yaml", 3, 5, "/modules/0/slug", "it is empty; give it a name", false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"validate FILE", "plan FILE", "apply FILE", "status", "history"})
    void aBadSettingIsSaidByEveryCommandThatReadsAny(String line) {
        host.complaints = List.of("MESH_HOST_BACKOFF is bad; using 5");
        run(line.replace("FILE", file.toString()).split(" "));
        assertThat(err.toString()).isEqualTo("nox-mesh-host: MESH_HOST_BACKOFF is bad; using 5\n");
    }

    @Test
    void anExpectedFailureIsOneSentence() {
        host.apply = (declared, options) -> {
            throw new MachineFailure("cannot write /etc/motd: the disk is full; make room");
        };
        assertThat(run("apply", file.toString())).isEqualTo(1);
        assertThat(err.toString()).isEqualTo("nox-mesh-host: cannot write /etc/motd: the disk is full; make room\n");
    }

    @Test
    void theStackIsShownWithVerboseOnly() {
        host.apply = (declared, options) -> {
            throw new IllegalStateException("a bug");
        };
        assertThat(run("apply", file.toString())).isEqualTo(1);
        assertThat(err.toString()).hasLineCount(1);
        assertThat(run("apply", "-v", file.toString())).isEqualTo(1);
        assertThat(err.toString()).contains("\tat ");
    }

    @Test
    void aSerialThatGoesBackIsARefusedDeclaration() {
        host.apply = (declared, options) -> {
            throw new ApplyFailure(ApplyFailure.Reason.REFUSED, "cannot apply serial 6: 7 was applied; use --force");
        };
        assertThat(run("apply", file.toString())).isEqualTo(3);
    }

    @Test
    void optionsReachTheWork() {
        host.apply = (declared, options) -> {
            assertThat(options.force()).isTrue();
            assertThat(options.rebuildRecord()).isTrue();
            return new Report(true, "box", null, List.of(), Map.of(), List.of());
        };
        assertThat(run("apply", file.toString(), "--force", "--rebuild-record")).isZero();
    }
}
