package io.meshhost.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.meshhost.apply.Action;
import io.meshhost.apply.ApplyFailure;
import io.meshhost.apply.Change;
import io.meshhost.apply.Outcome;
import io.meshhost.apply.Plan;
import io.meshhost.apply.Report;
import io.meshhost.control.Wire;
import io.meshhost.declaration.Fault;
import io.meshhost.machine.MachineFailure;
import io.meshhost.record.HistoryEntry;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole command line in this process, on a machine of paper: what is printed where, and the exit codes. */
class CommandLineTest {
    private static final Instant NOW = Instant.parse("2026-11-29T03:00:00Z");

    @TempDir
    Path dir;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Path file = Path.of("unset");
    private FakeHost host = new FakeHost(Path.of("unset"));

    @BeforeEach
    void machine() throws IOException {
        file = Files.writeString(dir.resolve("d.yaml"), "modules: []\n");
        host = new FakeHost(dir);
    }

    private int run(String... args) {
        Console console = new Console(new PrintWriter(out, true), new PrintWriter(err, true), false, false);
        return Top.commandLine(new World(console, choices -> host, Clock.fixed(NOW, ZoneOffset.UTC), "1.2.3"))
                .execute(args);
    }

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
        assertThat(err.toString()).contains("d.yaml:3:5:").contains("it has 1 fault; nothing was touched");
    }

    private void refuse() {
        host.declaration = Optional.empty();
        host.faults = List.of(new Fault("d.yaml", 3, 5, "/modules/0/slug", "it is empty; give it a name", false));
    }

    @Test
    void aReportIsALineForEachThatChangedAndACountOfTheRest() {
        host.apply = (declared, options) -> new Report(
                false,
                "box",
                7L,
                List.of(
                        new Outcome("app/motd", "file", "updated", "its content differed", null, 3),
                        new Outcome("app/a", "directory", "unchanged", "", null, 0),
                        new Outcome("app/web", "process", "failed", "", "cannot start web: exit 1; see its log", 12)),
                Map.of("updated", 1, "unchanged", 1, "failed", 1),
                List.of("owners are not set: not running as root"));
        assertThat(run("apply", file.toString())).isEqualTo(1);
        assertThat(out.toString()).isEqualTo("""
                        updated    app/motd  file     its content differed
                        failed     app/web   process  cannot start web: exit 1; see its log
                        note: owners are not set: not running as root
                        failed: 1 updated, 1 unchanged, 1 failed
                        """);
    }

    @Test
    void aReportAsJsonHasTheErrorOnlyWhereItFailed() {
        host.apply = (declared, options) -> new Report(
                true,
                "box",
                7L,
                List.of(new Outcome("app/motd", "file", "created", "made", null, 3)),
                Map.of("created", 1),
                List.of());
        assertThat(run("apply", "--json", file.toString())).isZero();
        assertThat(out.toString())
                .isEqualTo("{\"ok\":true,\"node\":\"box\",\"serial\":7,\"outcomes\":[{\"id\":\"app/motd\","
                        + "\"type\":\"file\",\"action\":\"created\",\"detail\":\"made\",\"millis\":3}],"
                        + "\"summary\":{\"created\":1},\"notes\":[]}\n");
    }

    @Test
    void aPlanShowsTheDiffAndExitsWithFourOnlyWhenAsked() {
        host.plan = (declared, options) -> new Plan("box", OptionalLong.of(7), List.of(change()), List.of());
        assertThat(run("plan", file.toString())).isZero();
        assertThat(out.toString()).isEqualTo("""
                        updated    app/motd  file  its content differs
                            -old
                            +new
                        to do: 1 updated
                        """);
        assertThat(run("plan", "--exit-code", file.toString())).isEqualTo(4);
    }

    @Test
    void aPlanWithNothingToDoExitsWithZero() {
        assertThat(run("plan", "--exit-code", file.toString())).isZero();
        assertThat(out.toString()).isEqualTo("nothing to do: nothing is declared\n");
    }

    @Test
    void aPlanAsJsonHasChangesOfTheShapeOfOutcomes() {
        host.plan = (declared, options) -> new Plan("box", OptionalLong.of(7), List.of(change()), List.of());
        assertThat(run("plan", "--json", file.toString())).isZero();
        JsonNode plan = Wire.tree(out.toString());
        assertThat(plan.path("changes").path(0).path("action").asText()).isEqualTo("updated");
        assertThat(plan.has("outcomes")).isFalse();
        assertThat(plan.path("summary").path("updated").asInt()).isEqualTo(1);
    }

    private static Change change() {
        return new Change(
                "app/motd",
                "file",
                Action.UPDATED,
                "its content differs",
                () -> List.of("-old", "+new"),
                List.of(),
                Optional.empty(),
                "",
                false);
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

    @Test
    void aHostThatDoesNotRunIsFiveAndTheRecordIsStillRead() {
        host.history = List.of(new HistoryEntry(
                12,
                NOW,
                "every 10m",
                OptionalLong.of(7),
                true,
                31,
                List.of(new HistoryEntry.Line("app/motd", "file", "updated", "its content differed", "", 3))));
        assertThat(run("status")).isEqualTo(5);
        assertThat(out.toString()).isEqualTo("""
                        box: the host is not running; nothing is being kept as declared

                        what the record last says:
                        #12  2026-11-29T03:00:00Z  every 10m, serial 7, 31 ms
                            updated    app/motd  file  its content differed

                        what to do: start it, with nox-mesh-host run --root %s
                        """.formatted(host.places().root()));
    }

    @Test
    void aHaltedHostIsSix() {
        host.halted = Optional.of("rolled back twice\n");
        assertThat(run("status", "--json")).isEqualTo(6);
        assertThat(Wire.tree(out.toString()).path("reason").asText()).isEqualTo("rolled back twice");
    }

    @Test
    void theVersionIsTheOneOfTheBuild() throws IOException {
        assertThat(run("version")).isZero();
        assertThat(out.toString()).isEqualTo("nox-mesh-host 1.2.3\n");
        assertThat(Files.readString(Path.of("pom.xml"))).contains("<version>" + Version.TEXT + "</version>");
    }

    @Test
    void theCompletionKnowsEveryCommand() {
        assertThat(run("completion")).isZero();
        assertThat(out.toString()).contains("validate", "--rebuild-record", "nox-mesh-host");
    }
}
