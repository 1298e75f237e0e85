package io.meshhost.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.meshhost.apply.Action;
import io.meshhost.apply.Change;
import io.meshhost.apply.Outcome;
import io.meshhost.apply.Plan;
import io.meshhost.apply.Report;
import io.meshhost.control.Wire;
import io.meshhost.record.HistoryEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What the commands print of a plan, a report, a history and a host that does not run; and their exit codes. */
class PrintedTest extends CommandLineFixture {
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
