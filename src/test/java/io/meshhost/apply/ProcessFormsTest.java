package io.meshhost.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.apply.testing.ProcessBox;
import io.meshhost.apply.testing.ProcessBox.Told;
import io.meshhost.apply.testing.ProcessDraft;
import io.meshhost.machine.services.ProcessSpec.Limits;
import io.meshhost.machine.services.ProcessSpec.Sandbox;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Daemon, schedule and step, and every way from one to the other. */
class ProcessFormsTest {
    @TempDir
    Path root;

    private ProcessBox box;
    private String v1;

    @BeforeEach
    void bundles() {
        box = new ProcessBox(root);
        v1 = publish("1", "v1");
    }

    private String publish(String digit, String version) {
        return box.bundles.publish(digit, Map.of("bin/", "", "bin/app*", "x", "version", version));
    }

    private ProcessDraft job() {
        return ProcessDraft.of(v1).at("0 3 * * *");
    }

    private ProcessDraft step() {
        return ProcessDraft.of(v1).once();
    }

    @Test
    void aScheduledProcessHasATimerAndNoServiceThatStaysUp() {
        Told result = box.apply(job().build());
        assertThat(result.detail()).isEqualTo("3 entries, scheduled as web.timer");
        assertThat(box.services.running()).containsExactly("web.timer");
        assertThat(box.services.enabled()).containsExactly("web.timer");
    }

    @Test
    void anUnchangedScheduleIsAskedAboutItsTimerAndNotStarted() {
        box.apply(job().build());
        box.services.calls.clear();
        assertThat(box.apply(job().build()).action()).isEqualTo("unchanged");
        assertThat(box.services.calls).isEmpty();
    }

    @Test
    void aStoppedTimerIsStartedAgain() {
        box.apply(job().build());
        box.services.die("web.timer", "success");
        assertThat(box.apply(job().build()).detail()).endsWith("it had stopped");
        assertThat(box.services.running()).containsExactly("web.timer");
    }

    @Test
    void aFailedRunOfAScheduleIsSaidAndNotMended() { // CR-13
        box.apply(job().build());
        box.services.calls.clear();
        box.services.die("web.service", "start-limit-hit");
        Told result = box.apply(job().build());
        assertThat(result.action()).isEqualTo("unchanged");
        assertThat(result.detail()).isEqualTo("scheduled as web.timer, its last run failed (start-limit-hit)");
        assertThat(box.services.calls).isEmpty();
    }

    @Test
    void aTimerAtItsStartLimitIsStartedOnceAndItsReasonTold() { // CR-13
        box.apply(job().build());
        box.services.die("web.timer", "start-limit-hit");
        Told result = box.apply(job().build());
        assertThat(result.detail()).contains("it had failed (start-limit-hit)");
        assertThat(box.services.calls).noneMatch(call -> call.startsWith("forget"));
    }

    @Test
    void aChangedTimerThatMayRunAtOnceIsSaidInThePlan() { // CR-14
        box.apply(job().build());
        Change plan = box.plan(ProcessDraft.of(v1).at("0 4 * * *").build());
        assertThat(plan.detail()).contains("it also runs now if a time of the new schedule has passed");
        assertThat(plan.diff().lines()).contains("-at 0 3 * * *", "+at 0 4 * * *");
    }

    @Test
    void anHourLostToDaylightSavingIsSaidInThePlan() { // CR-11
        assertThat(box.plan(ProcessDraft.of(v1).at("30 2 * * *").build()).detail())
                .endsWith("a run falls into the hour lost on 2027-03-28 and is skipped");
        assertThat(box.plan(ProcessDraft.of(v1).at("30 2 * * *", "UTC").build()).detail())
                .doesNotContain("lost");
    }

    @Test
    void fromDaemonToScheduleNoServiceStaysEnabledOrRunning() {
        box.apply(ProcessDraft.of(v1).build());
        Told result = box.apply(job().build());
        assertThat(result.action()).isEqualTo("updated");
        assertThat(box.services.running()).containsExactly("web.timer");
        assertThat(box.services.enabled()).containsExactly("web.timer");
        assertThat(box.apply(job().build()).action()).isEqualTo("unchanged");
    }

    @Test
    void fromScheduleToDaemonNoTimerStays() {
        box.apply(job().build());
        box.apply(ProcessDraft.of(v1).build());
        assertThat(box.services.running()).containsExactly("web.service");
        assertThat(box.services.enabled()).containsExactly("web.service");
        assertThat(box.unit("web.timer")).doesNotExist();
        assertThat(box.services.state("web.timer").exists()).isFalse();
        assertThat(box.apply(ProcessDraft.of(v1).build()).action()).isEqualTo("unchanged");
    }

    @Test
    void fromDaemonToStepNoUnitStays() {
        box.apply(ProcessDraft.of(v1).build());
        box.apply(step().build());
        assertThat(box.services.running()).isEmpty();
        assertThat(box.services.enabled()).isEmpty();
        assertThat(box.unit("web.service")).doesNotExist();
        assertThat(box.services.stepRuns).hasSize(1);
    }

    @Test
    void fromStepToDaemonItRuns() {
        box.apply(step().build());
        box.apply(ProcessDraft.of(v1).build());
        assertThat(box.services.running()).containsExactly("web.service");
        assertThat(box.apply(ProcessDraft.of(v1).build()).action()).isEqualTo("unchanged");
    }

    @Test
    void aRunInProgressIsEndedBeforeItsFilesAreReplaced() {
        box.apply(job().build());
        box.services.start("web.service");
        box.services.calls.clear();
        box.apply(ProcessDraft.of(publish("2", "v2")).at("0 3 * * *").build());
        assertThat(box.services.calls).contains("stop web.service");
    }

    @Test
    void aStepRunsOnceAndItsLastLinesAreTold() {
        Told result = box.apply(step().build());
        assertThat(result.action()).isEqualTo("created");
        assertThat(result.detail()).isEqualTo("3 entries, run once, step completed; it last said:\nall tables made");
        assertThat(box.services.stepRuns).containsExactly("web v1 within 3600");
        assertThat(box.unit("web.service")).doesNotExist();
        assertThat(box.tree("web").resolve("bin/app")).exists();
    }

    @Test
    void anUnchangedStepIsDoneWhateverBecameOfItsFolder() throws java.io.IOException {
        box.apply(step().build());
        java.nio.file.Files.delete(box.tree("web").resolve("bin/app"));
        Told result = box.apply(step().build());
        assertThat(result.action()).isEqualTo("unchanged");
        assertThat(result.detail()).isEqualTo("done");
        assertThat(box.services.stepRuns).hasSize(1);
    }

    @Test
    void aChangedStepRunsAgain() {
        box.apply(step().build());
        Change plan = box.plan(step().env("A", "b").build());
        assertThat(plan.diff().lines()).contains("+env A=\"b\"");
        assertThat(box.apply(step().env("A", "b").build()).action()).isEqualTo("updated");
        assertThat(box.services.stepRuns).hasSize(2);
        assertThat(box.bundles.unpacked).hasSize(1);
    }

    @Test
    void aStepRunsAgainForWhatItWasToldToWatch() {
        box.apply(step().build());
        assertThat(box.apply(step().build(), "demo/schema").detail()).contains("restarted because demo/schema changed");
        assertThat(box.services.stepRuns).hasSize(2);
    }

    @Test
    void aFailedStepTellsItsLastLinesAndRunsAgainAtTheNextApply() {
        String bad = publish("5", "fail");
        Told result = box.apply(ProcessDraft.of(bad).once().build());
        assertThat(result.error())
                .isEqualTo("the step web did not complete: it ended with status 3; nothing of it runs; "
                        + box.tree("web") + " stays for a look; it last said:\nno table users");
        box.apply(ProcessDraft.of(bad).once().build());
        assertThat(box.services.stepRuns).hasSize(2);
    }

    @Test
    void aStepThatDoesNotEndInItsTimeIsAFailure() {
        Told result = box.apply(ProcessDraft.of(publish("6", "slow"))
                .once()
                .within(Duration.ofSeconds(5))
                .build());
        assertThat(result.error()).startsWith("the step web did not complete: it had not ended after 5 s");
    }

    @Test
    void aStepRunsEvenWhereDaemonsStartWithTheHost() {
        box.services.live = false;
        assertThat(box.apply(step().build()).error()).isEmpty();
        assertThat(box.services.stepRuns).hasSize(1);
    }

    @Test
    void whatOnlySystemdEnforcesIsSaidElsewhere() {
        box.services.systemd = false;
        Limits limits =
                new Limits(OptionalLong.of(1 << 20), OptionalDouble.of(1.5), OptionalLong.empty(), OptionalLong.of(64));
        Told result = box.apply(
                ProcessDraft.of(v1).limits(limits).sandbox(Sandbox.STRICT).build());
        assertThat(result.detail()).endsWith("without systemd its memory, cpu, sandbox is not enforced");
        assertThat(box.apply(ProcessDraft.of(v1)
                                .limits(limits)
                                .sandbox(Sandbox.STRICT)
                                .build())
                        .detail())
                .endsWith("without systemd its memory, cpu, sandbox is not enforced");
    }
}
