package io.meshhost.apply;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.meshhost.apply.testing.BoxBundles;
import io.meshhost.apply.testing.Declared;
import io.meshhost.apply.testing.ProcessDraft;
import io.meshhost.declaration.Head;
import io.meshhost.declaration.Resource;
import io.meshhost.declaration.Resource.ProcessResource;
import io.meshhost.machine.Machine;
import io.meshhost.machine.Places;
import io.meshhost.machine.Probe;
import io.meshhost.machine.SystemCommands;
import io.meshhost.machine.services.ServiceState;
import io.meshhost.machine.services.ServiceState.Active;
import io.meshhost.machine.services.ServiceState.Enabled;
import io.meshhost.machine.services.SystemdServices;
import io.meshhost.record.RecordStore;
import io.meshhost.record.RecordStores;
import io.meshhost.testing.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process under a real systemd, through the whole engine, from its first apply to its last. */
@Tag("systemd")
class ProcessLifecycleTest {
    private static final Path UNITS = Path.of("/etc/systemd/system");
    private static final String SERVE = "#!/bin/sh\necho serving\ncat /proc/$$/environ >environ\nexec sleep 1000\n";

    @TempDir
    Path folder;

    private Machine machine;
    private BoxBundles bundles;
    private RecordStore record;
    private Engine engine;
    private String v1;
    private String v2;

    @BeforeEach
    void machine() throws IOException {
        Needs.systemd();
        Files.createDirectories(folder.resolve("state"));
        Places places = new Places(
                Path.of("/"),
                folder.resolve("state"),
                folder.resolve("daemons"),
                UNITS,
                folder.resolve("lib"),
                folder.resolve("control"),
                Optional.empty());
        var files = new io.meshhost.machine.Files(Path.of("/"), Probe.NONE);
        machine = Machine.real(places, new SystemdServices(new SystemCommands(), files, UNITS));
        bundles = new BoxBundles(folder.resolve("blobs"), files);
        record = RecordStores.open(places.database(), folder.resolve("state"), true);
        engine = new Engine(machine, bundles, record, Kinds.all(machine));
        v1 = bundles.publish("1", Map.of("app*", SERVE, "version", "1"));
        v2 = bundles.publish("2", Map.of("app*", SERVE, "version", "2"));
    }

    @AfterEach
    void nothingStays() {
        if (record != null) {
            engine.apply(Declared.machine(), Options.none(), Run.quiet("test"));
            record.close();
        }
    }

    private Outcome apply(Resource... resources) {
        return engine.apply(Declared.machine(resources), Options.none(), Run.quiet("test"))
                .outcomes()
                .getLast();
    }

    private static ProcessDraft web(String sha256) {
        return ProcessDraft.of(sha256).named("mesh-life").run("./app");
    }

    private ServiceState state(String unit) {
        return machine.services().states(List.of(unit)).getOrDefault(unit, ServiceState.absent(unit));
    }

    private Path tree() {
        return folder.resolve("daemons/mesh-life");
    }

    @Test
    void itRunsAndASecondApplyChangesNothing() {
        assertThat(apply(web(v1).build()).action()).isEqualTo("created");
        int pid = state("mesh-life.service").mainPid();
        assertThat(pid).isPositive();
        assertThat(apply(web(v1).build()).action()).isEqualTo("unchanged");
        assertThat(state("mesh-life.service").mainPid()).isEqualTo(pid);
    }

    @Test
    void itSurvivesAKill() {
        apply(web(v1).build());
        int pid = state("mesh-life.service").mainPid();
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
        await().atMost(15, SECONDS).until(() -> {
            ServiceState now = state("mesh-life.service");
            return now.active() == Active.ACTIVE && now.mainPid() != pid;
        });
        assertThat(apply(web(v1).build()).action()).isEqualTo("unchanged");
    }

    @Test
    void itIsRestartedForAChangedFile() {
        Path conf = folder.resolve("conf");
        apply(Declared.file("demo/conf", conf.toString(), "a"), watching());
        int pid = state("mesh-life.service").mainPid();
        Outcome outcome = apply(Declared.file("demo/conf", conf.toString(), "b"), watching());
        assertThat(outcome.detail()).endsWith("restarted because demo/conf changed");
        assertThat(state("mesh-life.service").mainPid()).isPositive().isNotEqualTo(pid);
    }

    private ProcessResource watching() {
        ProcessResource plain = web(v1).build();
        return new ProcessResource(
                new Head("demo/web", Set.of(), Set.of("demo/conf")),
                plain.name(),
                plain.bytes(),
                plain.run(),
                plain.env(),
                plain.envFiles(),
                plain.user(),
                plain.schedule(),
                plain.runOnce(),
                plain.timeout(),
                plain.limits(),
                plain.sandbox(),
                plain.health());
    }

    @Test
    void itBecomesScheduledAndADaemonAgain() {
        apply(web(v1).build());
        assertThat(apply(web(v1).at("0 3 * * *").build()).error()).isNull();
        assertThat(state("mesh-life.service").running()).isFalse();
        assertThat(state("mesh-life.service").enabled()).isNotEqualTo(Enabled.ENABLED);
        assertThat(state("mesh-life.timer").active()).isEqualTo(Active.ACTIVE);
        assertThat(traces()).noneMatch(path -> path.contains("multi-user.target.wants"));
        assertThat(apply(web(v1).at("0 3 * * *").build()).action()).isEqualTo("unchanged");
        assertThat(apply(web(v1).build()).error()).isNull();
        assertThat(state("mesh-life.timer").exists()).isFalse();
        assertThat(state("mesh-life.service").active()).isEqualTo(Active.ACTIVE);
        assertThat(traces()).noneMatch(path -> path.contains("timer"));
    }

    @Test
    void undeclaredItLeavesNoUnitTimerLinkOrFolder() {
        apply(web(v1).secret("KEY", "s").at("0 3 * * *").build());
        assertThat(apply().action()).isEqualTo("removed");
        assertThat(traces()).isEmpty();
        assertThat(state("mesh-life.service")).isEqualTo(ServiceState.absent("mesh-life.service"));
        assertThat(state("mesh-life.timer")).isEqualTo(ServiceState.absent("mesh-life.timer"));
        assertThat(tree()).doesNotExist();
        assertThat(folder.resolve("state/secrets")).isEmptyDirectory();
    }

    @Test
    void aBadNewVersionGivesWayToTheOldWhichServesAgain() {
        apply(web(v1).build());
        String bad = bundles.publish("3", Map.of("app*", "#!/bin/sh\necho I cannot\nexit 7\n"));
        Outcome outcome = apply(web(bad).build());
        assertThat(outcome.action()).isEqualTo("failed");
        assertThat(outcome.error())
                .contains("the old version was put back and runs again")
                .contains("I cannot");
        assertThat(tree().resolve("version")).hasContent("1");
        assertThat(state("mesh-life.service").active()).isEqualTo(Active.ACTIVE);
        assertThat(apply(web(v2).build()).error()).isNull();
        assertThat(tree().resolve("version")).hasContent("2");
        assertThat(tree().resolveSibling(".mesh-life.mesh-old")).doesNotExist();
    }

    @Test
    void nastyValuesAndSecretsArriveUnchanged() {
        String nasty = "50% of %H $HOME ${X} \"q\" 'a' C:\\dir\\ \n\tä";
        apply(web(v1).env("NASTY", nasty).secret("HIDDEN", nasty).build());
        await().atMost(10, SECONDS)
                .untilAsserted(() -> assertThat(environ()).contains("NASTY=" + nasty, "HIDDEN=" + nasty));
        assertThat(UNITS.resolve("mesh-life.service")).content().doesNotContain("HIDDEN=");
    }

    private List<String> environ() throws IOException {
        return List.of(Files.readString(tree().resolve("environ")).split("\0", -1));
    }

    @Test
    void aStepRunsOnceAndAgainOnlyAfterItFailed() throws IOException {
        Path runs = folder.resolve("runs");
        String step = "#!/bin/sh\necho run >>" + runs + "\necho made\n[ -e " + folder + "/ready ]\n";
        String bundle = bundles.publish("4", Map.of("app*", step));
        Resource resource =
                web(bundle).once().within(Duration.ofMinutes(1)).build();
        assertThat(apply(resource).error()).contains("it ended with status 1").endsWith("made");
        Files.createFile(folder.resolve("ready"));
        assertThat(apply(resource).detail()).endsWith("step completed; it last said:\nmade");
        assertThat(apply(resource).action()).isEqualTo("unchanged");
        assertThat(Files.readAllLines(runs)).hasSize(2);
        assertThat(traces()).isEmpty();
    }

    /** Every path of systemd's that names it, links too. */
    private static List<String> traces() {
        try (Stream<Path> all = Files.walk(UNITS)) {
            return all.map(Path::toString)
                    .filter(path -> path.contains("mesh-life"))
                    .toList();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
