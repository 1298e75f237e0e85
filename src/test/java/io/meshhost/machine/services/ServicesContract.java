package io.meshhost.machine.services;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.services.ServiceState.Active;
import io.meshhost.machine.services.ServiceState.Enabled;
import io.meshhost.machine.services.ServiceState.Load;
import io.meshhost.machine.services.Services.StepResult;
import io.meshhost.machine.services.Services.UnitFile;
import io.meshhost.testing.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What every supervisor promises; one subclass for each. */
abstract class ServicesContract extends ServicesFixture {
    @Test
    void whatIsNotThereIsAbsent() {
        assertThat(services().states(List.of("mesh-nowhere.service", "mesh-nowhere.timer")))
                .containsOnlyKeys("mesh-nowhere.service", "mesh-nowhere.timer")
                .allSatisfy((unit, state) -> assertThat(state).isEqualTo(ServiceState.absent(unit)));
    }

    @Test
    void nothingIsAskedForNothing() {
        assertThat(services().states(List.of())).isEmpty();
    }

    @Test
    void theSameProcessGivesTheSameFiles() {
        ProcessSpec spec = daemon("mesh-same", "dump", "a").at("@daily").spec();
        List<UnitFile> files = services().files(spec);
        assertThat(services().files(spec)).isEqualTo(files);
        assertThat(services().filesOf("mesh-same"))
                .containsAll(files.stream().map(UnitFile::path).toList());
    }

    @Test
    void aStartedDaemonRunsAndASecondStartChangesNothing() throws IOException {
        install(daemon("mesh-one", "dump"));
        services().start("mesh-one.service");
        ServiceState first = state("mesh-one.service");
        services().start("mesh-one.service");
        assertThat(first.load()).isEqualTo(Load.LOADED);
        assertThat(first.active()).isEqualTo(Active.ACTIVE);
        assertThat(first.mainPid()).isPositive();
        assertThat(state("mesh-one.service").mainPid()).isEqualTo(first.mainPid());
    }

    @Test
    void aRestartGivesAnotherProcess() throws IOException {
        install(daemon("mesh-one", "dump"));
        services().start("mesh-one.service");
        int first = state("mesh-one.service").mainPid();
        services().restart("mesh-one.service");
        assertThat(state("mesh-one.service").mainPid()).isPositive().isNotEqualTo(first);
        assertThat(Files.exists(Path.of("/proc/" + first))).isFalse();
    }

    @Test
    void aStoppedDaemonStaysStoppedAndTakesItsChildrenAlong() throws IOException {
        install(daemon("mesh-one", "family"));
        services().start("mesh-one.service");
        awaitFile("child");
        String child = Files.readString(file("child")).strip();
        services().stop("mesh-one.service");
        services().stop("mesh-one.service");
        assertThat(state("mesh-one.service").running()).isFalse();
        assertThat(state("mesh-one.service").mainPid()).isZero();
        await().atMost(10, SECONDS).until(() -> ended(child));
    }

    @Test
    void aDaemonThatDiedIsStartedAgainAfterFiveSeconds() throws IOException {
        install(daemon("mesh-one", "dump"));
        services().start("mesh-one.service");
        int first = state("mesh-one.service").mainPid();
        long killed = System.nanoTime();
        ProcessHandle.of(first).orElseThrow().destroyForcibly();
        await().atMost(10, SECONDS).until(() -> {
            ServiceState now = state("mesh-one.service");
            return now.active() == Active.ACTIVE && now.mainPid() > 0 && now.mainPid() != first;
        });
        assertThat(Duration.ofNanos(System.nanoTime() - killed))
                .isBetween(Duration.ofSeconds(4), Duration.ofSeconds(8));
        assertThat(state("mesh-one.service").restarts()).isEqualTo(1);
    }

    @Test
    void enablingAndDisablingAreRepeatable() throws IOException {
        install(daemon("mesh-one", "dump"));
        assertThat(state("mesh-one.service").enabled()).isEqualTo(Enabled.DISABLED);
        services().enable("mesh-one.service");
        services().enable("mesh-one.service");
        assertThat(state("mesh-one.service").enabled()).isEqualTo(Enabled.ENABLED);
        services().disable("mesh-one.service");
        services().disable("mesh-one.service");
        assertThat(state("mesh-one.service").enabled()).isEqualTo(Enabled.DISABLED);
    }

    @Test
    void whatIsGoneIsStoppedDisabledAndForgottenInPeace() {
        services().stop("mesh-nowhere.service");
        services().disable("mesh-nowhere.service");
        services().forget("mesh-nowhere.service");
        services().forget("mesh-nowhere.timer");
        assertThat(state("mesh-nowhere.service").exists()).isFalse();
    }

    @Test
    void aRemovedDaemonLeavesNothing() throws IOException {
        install(daemon("mesh-one", "dump"));
        services().enable("mesh-one.service");
        services().start("mesh-one.service");
        int pid = state("mesh-one.service").mainPid();
        remove("mesh-one");
        assertThat(state("mesh-one.service")).isEqualTo(ServiceState.absent("mesh-one.service"));
        assertThat(Files.exists(Path.of("/proc/" + pid))).isFalse();
        assertThat(services().filesOf("mesh-one")).noneMatch(Files::exists);
    }

    @Test
    void argumentsValuesAndDirectoryArriveUnchanged() throws IOException { // UE-01 to UE-06
        Map<String, String> values = odd();
        ProcessSpec spec =
                install(daemon("mesh-odd", "dump", ODD.toArray(String[]::new)).env(values));
        assertThat(services().misunderstood(spec)).isEmpty();
        services().start("mesh-odd.service");
        awaitFile("pwd");
        List<String> cmdline = words("cmdline");
        assertThat(cmdline.subList(cmdline.size() - ODD.size(), cmdline.size())).isEqualTo(ODD);
        assertThat(words("environ")).containsAll(lines(values));
        assertThat(Files.readString(file("pwd"))).isEqualTo(file(".").toRealPath() + "\n");
    }

    @Test
    void secretsArriveByTheirFileAndLaterFilesWin() throws IOException {
        Map<String, String> secrets = odd();
        Path declared = Files.writeString(file("declared.env"), "BOTH=file\nSECRET=file\n");
        Specs specs =
                daemon("mesh-secret", "dump").env(Map.of("BOTH", "unit")).secret(file("secret.env"), secrets, declared);
        install(specs.secret(file("secret.env"), with(secrets, "SECRET", "secret"), declared));
        services().start("mesh-secret.service");
        awaitFile("pwd");
        assertThat(words("environ")).contains("BOTH=file", "SECRET=file").containsAll(lines(secrets));
    }

    @Test
    void aDaemonRunsAsItsUser() throws IOException {
        Needs.root();
        Files.setPosixFilePermissions(file(""), PosixFilePermissions.fromString("rwxrwxrwx"));
        install(daemon("mesh-user", "dump").as("nobody"));
        services().start("mesh-user.service");
        awaitFile("pwd");
        assertThat(Files.getOwner(file("pwd")).getName()).isEqualTo("nobody");
    }

    @Test
    void theLastLinesOfADaemonAreKnown() throws IOException {
        install(daemon("mesh-one", "dump"));
        services().start("mesh-one.service");
        awaitFile("pwd");
        await().atMost(5, SECONDS)
                .untilAsserted(() ->
                        assertThat(services().lastLines("mesh-one.service")).contains("dumped"));
        assertThat(services().lastLines("mesh-nowhere.service")).isEmpty();
    }

    @Test
    void aStepTellsItsStatusAndItsLastFiftyLines() throws IOException {
        StepResult result =
                services().runStep(daemon("mesh-step", "lines", "3").step().spec(), Duration.ofMinutes(1));
        assertThat(result.status()).isEqualTo(3);
        assertThat(result.timedOut()).isFalse();
        assertThat(result.ok()).isFalse();
        assertThat(result.lastLines()).hasSize(50).startsWith("line 11").endsWith("line 60");
    }

    @Test
    void aStepThatSucceedsMayRunAgain() throws IOException {
        ProcessSpec spec = daemon("mesh-step", "count").step().spec();
        assertThat(services().runStep(spec, Duration.ofMinutes(1))).isEqualTo(new StepResult(0, false, List.of()));
        assertThat(services().runStep(spec, Duration.ofMinutes(1)).ok()).isTrue();
        assertThat(Files.readAllLines(file("runs"))).containsExactly("run", "run");
    }

    @Test
    void aStepIsEndedAfterItsTime() throws IOException {
        StepResult result =
                services().runStep(daemon("mesh-step", "family").step().spec(), Duration.ofSeconds(1));
        assertThat(result.timedOut()).isTrue();
        assertThat(result.ok()).isFalse();
        String child = Files.readString(file("child")).strip();
        await().atMost(10, SECONDS).until(() -> ended(child));
    }

    /** Gone, or dead and waiting for an init that reaps when it pleases. */
    private static boolean ended(String pid) {
        Path stat = Path.of("/proc", pid, "stat");
        try {
            return Files.readString(stat).replaceAll("(?s)^.*\\) ", "").startsWith("Z");
        } catch (IOException gone) {
            return true;
        }
    }

    @Test
    void aStepKilledByASignalSaysWhich() throws IOException {
        script("kill", "kill -KILL $$\n");
        StepResult result =
                services().runStep(daemon("mesh-step", "kill").step().spec(), Duration.ofMinutes(1));
        assertThat(result.status()).isEqualTo(137);
        assertThat(result.timedOut()).isFalse();
    }

    @Test
    void aStepHasItsEnvironmentSecretsAndDirectory() throws IOException {
        script("show", "cat /proc/$$/environ >environ; pwd >pwd\n");
        Specs step = daemon("mesh-step", "show")
                .env(Map.of("V", "a$b%c\n"))
                .secret(file("step.env"), Map.of("S", "x\"y\\z\n$w"))
                .step();
        assertThat(services().runStep(step.spec(), Duration.ofMinutes(1)).ok()).isTrue();
        assertThat(words("environ")).contains("V=a$b%c\n", "S=x\"y\\z\n$w");
        assertThat(Files.readString(file("pwd"))).isEqualTo(file(".").toRealPath() + "\n");
        assertThat(file("step.env")).doesNotExist();
    }

    @Test
    void aStepThatCannotBeStartedFails() {
        StepResult result =
                services().runStep(daemon("mesh-step", "missing").step().spec(), Duration.ofMinutes(1));
        assertThat(result.ok()).isFalse();
        assertThat(String.join("\n", result.lastLines())).contains("missing");
    }

    @Test
    void aScheduledProcessRunsAtItsMinuteAndNotBefore() throws IOException { // CR-16
        script("second", "date +%S >>seconds\n");
        install(daemon("mesh-job", "second").at("* * * * *"));
        services().enable("mesh-job.timer");
        services().start("mesh-job.timer");
        assertThat(state("mesh-job.timer").active()).isEqualTo(Active.ACTIVE);
        assertThat(state("mesh-job.service").running()).isFalse();
        await().atMost(65, SECONDS).until(() -> Files.exists(file("seconds")));
        await().atMost(5, SECONDS).until(() -> Files.size(file("seconds")) > 0);
        assertThat(Files.readAllLines(file("seconds"))).hasSize(1).allMatch(second -> second.compareTo("02") < 0);
    }

    @Test
    void aDaemonThatIsNotThereDoesNotStart() throws IOException {
        install(daemon("mesh-missing", "missing"));
        assertThatExceptionOfType(MachineFailure.class)
                .isThrownBy(() -> services().start("mesh-missing.service"))
                .withMessageStartingWith("cannot start mesh-missing.service: ");
    }
}
