package io.meshhost.apply;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.meshhost.apply.testing.Declared;
import io.meshhost.apply.testing.ProcessDraft;
import io.meshhost.apply.testing.ProcessWorld;
import io.meshhost.declaration.Resource.Bytes;
import io.meshhost.declaration.Resource.Health;
import io.meshhost.machine.services.ServiceState;
import io.meshhost.machine.services.ServiceState.Active;
import io.meshhost.machine.services.ServiceState.Enabled;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process through the whole engine, from its first apply to its last; the same under every supervisor. */
abstract class ProcessLifecycleContract {
    static final String UNIT = "mesh-life.service";
    static final String TIMER = "mesh-life.timer";
    private static final String SERVE =
            "#!/bin/sh\necho serving\ncat /proc/$$/environ >part\nmv part environ\nexec sleep 1000\n";

    @TempDir
    Path folder;

    ProcessWorld world;
    Bytes v1;
    Bytes v2;

    abstract ProcessWorld open() throws IOException;

    @BeforeEach
    void machine() throws IOException {
        world = open();
        v1 = world.publish(Map.of("app*", SERVE, "version", "1"));
        v2 = world.publish(Map.of("app*", SERVE, "version", "2"));
    }

    @AfterEach
    void nothingStays() {
        if (world != null) {
            world.report();
            world.close();
        }
    }

    static ProcessDraft web(Bytes bundle) {
        return ProcessDraft.of(bundle).named("mesh-life").run("./app");
    }

    ServiceState state() {
        return world.state(UNIT);
    }

    Path tree() {
        return world.tree("mesh-life");
    }

    List<String> environ() throws IOException {
        Path file = tree().resolve("environ");
        await().atMost(10, SECONDS).until(() -> Files.exists(file));
        return List.of(Files.readString(file).split("\0", -1));
    }

    /** Every trace of the name: files of the supervisor, folders beside the bundle, secrets. */
    void assertGone(String name) {
        assertThat(world.services().filesOf(name)).noneMatch(Files::exists);
        for (String unit : List.of(name + ".service", name + ".timer")) {
            assertThat(world.state(unit)).isEqualTo(ServiceState.absent(unit));
        }
        assertThat(world.tree(name)).doesNotExist();
        assertThat(world.tree("." + name + ".mesh-new")).doesNotExist();
        assertThat(world.tree("." + name + ".mesh-old")).doesNotExist();
        assertThat(world.state().resolve("secrets").resolve(name + ".env")).doesNotExist();
    }

    @Test
    void itRunsAndASecondApplyChangesNothing() {
        assertThat(world.apply(web(v1).build()).action()).isEqualTo("created");
        int pid = state().mainPid();
        assertThat(pid).isPositive();
        assertThat(world.plan(web(v1).build()).pending()).isZero();
        assertThat(world.apply(web(v1).build()).action()).isEqualTo("unchanged");
        assertThat(state().mainPid()).isEqualTo(pid);
    }

    @Test
    void itSurvivesAKill() {
        world.apply(web(v1).build());
        int pid = state().mainPid();
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
        await().atMost(15, SECONDS)
                .until(() -> state().active() == Active.ACTIVE && state().mainPid() > 0 && state().mainPid() != pid);
        assertThat(world.apply(web(v1).build()).action()).isEqualTo("unchanged");
    }

    @Test
    void itIsRestartedForAChangedFile() {
        String conf = folder.resolve("conf").toString();
        world.apply(
                Declared.file("demo/conf", conf, "a"),
                web(v1).restartOn("demo/conf").build());
        int pid = state().mainPid();
        Outcome outcome = world.apply(
                Declared.file("demo/conf", conf, "b"),
                web(v1).restartOn("demo/conf").build());
        assertThat(outcome.detail()).endsWith("restarted because demo/conf changed");
        assertThat(state().mainPid()).isPositive().isNotEqualTo(pid);
    }

    @Test
    void itBecomesScheduledAndADaemonAgain() {
        world.apply(web(v1).build());
        assertThat(world.apply(web(v1).at("0 3 * * *").build()).error()).isNull();
        assertThat(state().running()).isFalse();
        assertThat(state().enabled()).isNotEqualTo(Enabled.ENABLED);
        assertThat(world.state(TIMER).active()).isEqualTo(Active.ACTIVE);
        assertThat(world.state(TIMER).enabled()).isEqualTo(Enabled.ENABLED);
        assertThat(world.apply(web(v1).at("0 3 * * *").build()).action()).isEqualTo("unchanged");
        assertThat(world.apply(web(v1).build()).error()).isNull();
        assertThat(world.state(TIMER)).isEqualTo(ServiceState.absent(TIMER));
        assertThat(state().active()).isEqualTo(Active.ACTIVE);
        assertThat(state().enabled()).isEqualTo(Enabled.ENABLED);
    }

    @Test
    void undeclaredItLeavesNothing() throws IOException {
        world.apply(web(v1).secret("KEY", "s").build());
        int pid = state().mainPid();
        world.apply(web(v2).secret("KEY", "s").at("0 3 * * *").build());
        assertThat(world.apply().action()).isEqualTo("removed");
        assertGone("mesh-life");
        assertThat(Path.of("/proc/" + pid)).doesNotExist();
        assertThat(world.report().outcomes()).isEmpty();
    }

    @Test
    void aRenamedProcessRunsUnderItsNewNameOnly() {
        world.apply(web(v1).build());
        Report report = world.report(web(v1).named("mesh-life-2").build());
        assertThat(report.ok()).isTrue();
        assertThat(world.state("mesh-life-2.service").active()).isEqualTo(Active.ACTIVE);
        assertGone("mesh-life");
        assertThat(world.apply(web(v1).named("mesh-life-2").build()).action()).isEqualTo("unchanged");
        world.report();
        assertGone("mesh-life-2");
    }

    @Test
    void aBadNewVersionGivesWayToTheOldWhichServesAgain() throws IOException {
        world.apply(web(v1).build());
        Bytes bad = world.publish(Map.of("app*", "#!/bin/sh\necho I cannot\nexit 7\n"));
        Outcome outcome = world.apply(web(bad).build());
        assertThat(outcome.action()).isEqualTo("failed");
        assertThat(outcome.error())
                .startsWith("cannot ")
                .contains("the old version was put back and runs again")
                .contains("I cannot");
        assertThat(tree().resolve("version")).hasContent("1");
        assertThat(state().active()).isEqualTo(Active.ACTIVE);
        assertThat(world.apply(web(v2).build()).error()).isNull();
        assertThat(tree().resolve("version")).hasContent("2");
        assertThat(world.tree(".mesh-life.mesh-old")).doesNotExist();
    }

    @Test
    void aFirstVersionThatFailsLeavesNothingRunning() throws IOException {
        Bytes bad = world.publish(Map.of("app*", "#!/bin/sh\necho I cannot\nexit 7\n"));
        Outcome outcome = world.apply(web(bad).build());
        assertThat(outcome.error()).contains("nothing of it runs").contains("I cannot");
        assertThat(state().running()).isFalse();
        assertThat(state().mainPid()).isZero();
        assertThat(state().enabled()).isNotEqualTo(Enabled.ENABLED);
        assertThat(world.apply(web(v1).build()).error()).isNull();
        assertThat(state().active()).isEqualTo(Active.ACTIVE);
    }

    @Test
    void aSecretReachesTheProcessAndNoOtherFile() throws IOException {
        String word = "pass-" + "word-41ea";
        ProcessDraft draft = web(v1).secret("HIDDEN", word).env("SEEN", "x");
        assertThat(String.join(
                        "\n",
                        world.plan(draft.build()).changes().getFirst().diff().lines()))
                .doesNotContain(word)
                .contains("secrets");
        world.apply(draft.build());
        assertThat(environ()).contains("HIDDEN=" + word, "SEEN=x");
        Path file = world.state().resolve("secrets/mesh-life.env");
        assertThat(Files.readString(file)).contains(word);
        assertThat(Files.getPosixFilePermissions(file)).hasToString("[OWNER_READ, OWNER_WRITE]");
        assertThat(holders(word)).containsExactlyInAnyOrder(file, tree().resolve("environ"));
    }

    /** Files of the host and of the supervisor that hold the word; the database and its log among them. */
    private List<Path> holders(String word) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return Stream.concat(all, world.services().filesOf("mesh-life").stream())
                    .filter(Files::isRegularFile)
                    .filter(file -> holds(file, word))
                    .distinct()
                    .toList();
        }
    }

    private static boolean holds(Path file, String word) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1).contains(word);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aFileOfVariablesWinsOverWhatIsDeclared() throws IOException {
        Path file = Files.writeString(folder.resolve("own.env"), "BOTH=file\nHIDDEN=file\n");
        world.apply(web(v1).env("BOTH", "declared")
                .secret("HIDDEN", "declared")
                .envFile(file.toString())
                .build());
        assertThat(environ()).contains("BOTH=file", "HIDDEN=file").doesNotContain("BOTH=declared");
    }

    @Test
    void nastyValuesAndSecretsArriveUnchanged() throws IOException {
        String nasty = "50% of %H $HOME ${X} \"q\" 'a' C:\\dir\\ \n\tä";
        world.apply(web(v1).env("NASTY", nasty).secret("HIDDEN", nasty).build());
        assertThat(environ()).contains("NASTY=" + nasty, "HIDDEN=" + nasty);
    }

    @Test
    void aStopWhileItWaitsForHealthDecidesNothing() throws IOException {
        world.apply(web(v1).build());
        world.stopping = () -> Files.exists(tree()) && version().equals("2");
        Health.Check never = new Health.Check.Socket(folder.resolve("never.sock"));
        Outcome cut = world.apply(web(v2).healthy(never, Duration.ofSeconds(1), Duration.ofSeconds(60))
                .build());
        assertThat(cut.error()).startsWith("cannot say whether mesh-life works: the host was asked to stop");
        world.stopping = () -> false;
        assertThat(world.apply(web(v1).build()).error()).isNull();
        assertThat(version()).isEqualTo("1");
        assertThat(state().active()).isEqualTo(Active.ACTIVE);
        assertThat(world.tree(".mesh-life.mesh-old")).doesNotExist();
        assertThat(world.apply(web(v2).build()).error()).isNull();
        assertThat(version()).isEqualTo("2");
    }

    private String version() {
        try {
            return Files.readString(tree().resolve("version"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
