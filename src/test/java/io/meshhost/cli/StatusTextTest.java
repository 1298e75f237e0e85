package io.meshhost.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.apply.Outcome;
import io.meshhost.control.Wire;
import io.meshhost.converge.HostStatus;
import io.meshhost.declaration.Fault;
import io.meshhost.machine.Places;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StatusTextTest {
    private static final Instant NOW = Instant.parse("2026-11-29T03:00:00Z");
    private static final Outcome BROKEN =
            new Outcome("app/web", "process", "failed", "", "cannot start web: exit 1; see its log", 12);

    private static HostStatus status(
            String state,
            HostStatus.Declared declared,
            HostStatus.@Nullable Work work,
            HostStatus.@Nullable Last last) {
        return new HostStatus(
                state,
                true,
                "box",
                "0.1.0",
                42,
                "2026-11-28T00:00:00Z",
                "2026-11-29T02:55:00Z",
                "systemd",
                declared,
                work,
                last,
                null,
                9,
                List.of());
    }

    private static HostStatus.Declared declared() {
        return new HostStatus.Declared("/etc/mesh-host/declaration.yaml", 7L, null, List.of(), false);
    }

    private static HostStatus.Last last(Map<String, Integer> summary, List<Outcome> failed) {
        return new HostStatus.Last(
                List.of("every 10m"),
                "2026-11-29T02:58:00Z",
                120,
                failed.isEmpty(),
                null,
                summary,
                List.of(),
                failed,
                List.of());
    }

    private static Places places(String root) {
        Path at = Path.of(root);
        return new Places(at, at, at, at, at, at, Optional.empty());
    }

    private static String text(HostStatus status) {
        return String.join("\n", StatusText.lines(status, places("/"), NOW, new Paint(false))) + "\n";
    }

    @Test
    void aWellHostFitsOnFiveLines() {
        assertThat(text(status("well", declared(), null, last(Map.of("unchanged", 12), List.of()))))
                .isEqualTo("""
                        box is well, since 2026-11-29T02:55:00Z (5 min ago)

                          now          waiting; it looks every few minutes, at once when the declaration changes, and on HUP
                          declaration  /etc/mesh-host/declaration.yaml, serial 7
                          last         every 10m, 2026-11-29T02:58:00Z (2 min ago), 120 ms: 12 unchanged
                          host         0.1.0, pid 42, up since 2026-11-28T00:00:00Z (27 h 0 min ago); processes are kept by systemd
                        """);
    }

    @Test
    void whatFailedIsSaidWithWhyAndWhatToDo() {
        assertThat(text(status("failed", declared(), null, last(Map.of("failed", 1), List.of(BROKEN)))))
                .startsWith("box is not as declared: something failed, since ")
                .contains("\nfailed     app/web  process  cannot start web: exit 1; see its log\nwhat to do: ");
    }

    @Test
    void aRefusedDeclarationIsSaidWithItsFaults() {
        HostStatus.Declared refused = new HostStatus.Declared(
                "/d.yaml",
                null,
                "cannot apply /d.yaml: it has 1 fault",
                List.of(new Fault("/d.yaml", 3, 5, "/modules/0", "it is wrong", false)),
                false);
        assertThat(text(status("refused", refused, null, null)))
                .contains("refused: cannot apply /d.yaml: it has 1 fault\n  /d.yaml:3:5: /modules/0: it is wrong\n")
                .contains("what to do: mend /d.yaml");
    }

    @Test
    void whatIsToBeDoneUnderARootIsSaidWithTheRoot() {
        HostStatus.Declared refused = new HostStatus.Declared("/r/d.yaml", null, "refused", List.of(), false);
        HostStatus.Last error = new HostStatus.Last(
                List.of("start"), "2026-11-29T02:58:00Z", 1, false, "no", Map.of(), List.of(), List.of(), List.of());
        assertThat(lastLine(status("refused", refused, null, null)))
                .isEqualTo("what to do: mend /r/d.yaml; it is read at once, and can be tried with"
                        + " nox-mesh-host validate --root /r");
        assertThat(lastLine(status("failed", declared(), null, error)))
                .isEqualTo("what to do: mend that; then nox-mesh-host apply --root /r");
        assertThat(lastLine(status("failed", declared(), null, last(Map.of("failed", 1), List.of(BROKEN)))))
                .endsWith("or now with nox-mesh-host apply --root /r");
    }

    private static String lastLine(HostStatus status) {
        return StatusText.lines(status, places("/r"), NOW, new Paint(false)).getLast();
    }

    @Test
    void longWorkIsShownWithHowFarItIs() {
        HostStatus.Work work = new HostStatus.Work(List.of("start"), "2026-11-29T02:59:30Z", "fetching web", 45, 100);
        assertThat(text(status("starting", declared(), work, null)))
                .contains("reconciling (start) since 2026-11-29T02:59:30Z (30 s ago): fetching web (45 %)")
                .contains("no reconcile has ended yet");
    }

    @Test
    void aStatusSurvivesTheWire() {
        HostStatus sent = status("failed", declared(), null, last(Map.of("failed", 1), List.of(BROKEN)));
        assertThat(Wire.read(Wire.json(sent), HostStatus.class)).isEqualTo(sent);
        assertThat(Wire.json(sent)).doesNotContain("null");
    }

    @Test
    void agesAreRoundedToWhatMatters() {
        assertThat(StatusText.ago(Duration.ofSeconds(-3))).isEqualTo("0 s");
        assertThat(StatusText.ago(Duration.ofSeconds(59))).isEqualTo("59 s");
        assertThat(StatusText.ago(Duration.ofMinutes(125))).isEqualTo("2 h 5 min");
        assertThat(StatusText.ago(Duration.ofDays(3))).isEqualTo("3 days");
    }

    @Test
    void coloursAreOnlyThereWhenAskedFor() {
        HostStatus well = status("well", declared(), null, null);
        assertThat(StatusText.lines(well, places("/"), NOW, new Paint(true)).getFirst())
                .contains("\033[32mwell\033[0m");
    }
}
