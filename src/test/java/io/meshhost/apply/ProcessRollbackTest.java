package io.meshhost.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.apply.testing.ProcessBox;
import io.meshhost.apply.testing.ProcessBox.Told;
import io.meshhost.apply.testing.ProcessDraft;
import io.meshhost.declaration.Resource.Bytes;
import io.meshhost.declaration.Resource.Health;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A new version that does not work gives way to the old one, and both things are said. */
class ProcessRollbackTest {
    private static final String PUT_BACK =
            "; the old version was put back and runs again; it last said:\n" + "last words of web.service";

    @TempDir
    Path root;

    private ProcessBox box;
    private String v1;
    private String crash;
    private String broken;

    @BeforeEach
    void bundles() {
        box = new ProcessBox(root);
        v1 = publish("1", "v1");
        crash = publish("3", "crash at once");
        broken = publish("4", "broken");
    }

    private String publish(String digit, String version) {
        return box.bundles.publish(digit, Map.of("bin/", "", "bin/app*", "x", "version", version));
    }

    @Test
    void aNewVersionThatEndsSoonGivesWayToTheOld() {
        box.apply(ProcessDraft.of(v1).env("A", "1").build());
        Told result = box.apply(ProcessDraft.of(crash).env("A", "2").build());
        assertThat(result.action()).isEqualTo("failed");
        assertThat(result.error())
                .isEqualTo("cannot keep web up: it ended soon after its start (exit-code)" + PUT_BACK);
        assertThat(box.tree("web").resolve("version")).hasContent("v1");
        assertThat(box.services.running("web.service")).get().asString().contains("A=1", "version v1");
        assertThat(box.unit("web.service")).content().contains("A=1").doesNotContain("A=2");
        assertThat(root.resolve("daemons")).isDirectoryNotContaining("glob:**.mesh-*");
    }

    @Test
    void aNewVersionThatWillNotStartGivesWayToTheOld() {
        box.apply(ProcessDraft.of(v1).build());
        Told result = box.apply(ProcessDraft.of(broken).build());
        assertThat(result.error()).isEqualTo("cannot start web.service: it is broken" + PUT_BACK);
        assertThat(box.services.running("web.service")).get().asString().contains("version v1");
    }

    @Test
    void aNewVersionThatEndsWithinTwoSecondsIsFoundOut() {
        box.apply(ProcessDraft.of(v1).build());
        String v2 = publish("2", "v2");
        box.ticker.meanwhile = () -> {
            boolean isNew = box.services.running("web.service").orElse("").contains("version v2");
            if (isNew && box.ticker.passed().toMillis() > 3500) {
                box.services.die("web.service", "signal");
            }
        };
        Told result = box.apply(ProcessDraft.of(v2).build());
        assertThat(result.error()).isEqualTo("cannot keep web up: it ended soon after its start (signal)" + PUT_BACK);
    }

    @Test
    void anOldVersionThatWillNotRunEitherIsSaidToo() {
        box.apply(ProcessDraft.of(v1).build());
        box.ticker.meanwhile = () -> box.services.die("web.service", "oom-kill");
        Told result = box.apply(ProcessDraft.of(publish("2", "v2")).build());
        assertThat(result.error())
                .contains("it ended soon after its start (oom-kill); the old version was put back, but does not run"
                        + " either: cannot keep web up");
        assertThat(box.tree("web").resolve("version")).hasContent("v1");
    }

    @Test
    void theNextApplyTriesAgainAndGoingBackToTheOldDeclarationSettlesIt() {
        box.apply(ProcessDraft.of(v1).build());
        box.apply(ProcessDraft.of(crash).build());
        assertThat(box.apply(ProcessDraft.of(crash).build()).error()).endsWith(PUT_BACK);
        assertThat(box.apply(ProcessDraft.of(v1).build()).action()).isEqualTo("updated");
        assertThat(box.apply(ProcessDraft.of(v1).build()).action()).isEqualTo("unchanged");
        assertThat(box.bundles.unpacked).hasSize(3);
    }

    @Test
    void aFirstInstallThatFailsLeavesNothingRunningAndSaysWhatStays() {
        Told result = box.apply(ProcessDraft.of(crash).build());
        assertThat(result.error())
                .isEqualTo("cannot keep web up: it ended soon after its start (exit-code); nothing of it runs; its unit"
                        + " (disabled) and " + box.tree("web") + " stay for a look; it last said:\n"
                        + "last words of web.service");
        assertThat(box.services.running()).isEmpty();
        assertThat(box.services.enabled()).isEmpty();
        assertThat(box.unit("web.service")).exists();
    }

    @Test
    void afterAFirstInstallThatFailedABetterVersionIsANewProcess() {
        box.apply(ProcessDraft.of(crash).build());
        assertThat(box.apply(ProcessDraft.of(v1).build()).action()).isEqualTo("created");
        assertThat(box.services.running("web.service")).get().asString().contains("version v1");
        assertThat(root.resolve("daemons")).isDirectoryNotContaining("glob:**.mesh-*");
    }

    @Test
    void aBundleThatCannotBeHadDisturbsNothing() {
        box.apply(ProcessDraft.of(v1).build());
        box.services.calls.clear();
        Told result = box.apply(ProcessDraft.of("9".repeat(64)).env("A", "2").build());
        assertThat(result.error()).endsWith(": 404; what was there before was not disturbed");
        assertThat(box.services.calls).containsOnly("reload");
        assertThat(box.unit("web.service")).content().doesNotContain("A=2");
    }

    @Test
    void aChangedValueThatBreaksItIsTakenBackWithoutUnpacking() {
        box.apply(ProcessDraft.of(v1).build());
        box.ticker.meanwhile = () -> {
            if (box.services.running("web.service").orElse("").contains("BAD=1")) {
                box.services.die("web.service", "exit-code");
            }
        };
        Told result = box.apply(ProcessDraft.of(v1).env("BAD", "1").build());
        assertThat(result.error()).endsWith(PUT_BACK);
        assertThat(box.bundles.unpacked).hasSize(1);
        assertThat(box.services.running("web.service")).get().asString().doesNotContain("BAD");
    }

    @Test
    void aDaemonThatFailsToBecomeAnotherFormIsTheOldFormAgain() {
        box.apply(ProcessDraft.of(v1).at("0 3 * * *").build());
        Told result = box.apply(ProcessDraft.of(crash).build());
        assertThat(result.error()).contains("the old version was put back and is scheduled again");
        assertThat(box.services.running()).containsExactly("web.timer");
        assertThat(box.services.enabled()).containsExactly("web.timer");
        assertThat(box.unit("web.timer")).exists();
    }

    @Test
    void aHealthThatNeverAnswersWithinItsTimeIsAFailure() {
        box.apply(ProcessDraft.of(v1).build());
        Told result = box.apply(ProcessDraft.of(publish("2", "v2"))
                .healthy(new Health.Check.Socket(Path.of("/run/web.sock")))
                .build());
        assertThat(result.error())
                .startsWith("cannot take web as healthy: within 5 s " + root + "/run/web.sock accepted no connection")
                .endsWith(PUT_BACK);
        assertThat(box.ticker.passed()).isBetween(Duration.ofSeconds(8), Duration.ofSeconds(12));
    }

    @Test
    void aDaemonThatGivesUpWhileItsHealthIsWaitedForIsNotWaitedForToTheEnd() {
        Told result = box.apply(ProcessDraft.of(crash)
                .healthy(new Health.Check.Socket(Path.of("/run/web.sock")))
                .build());
        assertThat(result.error()).contains("and it is not up (exit-code)");
        assertThat(box.ticker.passed()).isLessThan(Duration.ofSeconds(1));
    }

    @Test
    void aHealthCommandRunsAsTheProcessAndDecides() {
        Told result = box.apply(ProcessDraft.of(v1)
                .healthy(new Health.Check.Command(List.of("bin/app", "check")))
                .build());
        assertThat(result.action()).isEqualTo("created");
        assertThat(box.services.stepRuns).containsExactly("web.health v1 within 5");
    }

    @Test
    void aHostThatIsAskedToStopWhileItWaitsDecidesNothingAndTheNextApplyBeginsFromTheOld() {
        box.apply(ProcessDraft.of(v1).build());
        String v2 = publish("2", "v2");
        box.ticker.meanwhile = () -> box.stopping = true;
        Told cut = box.apply(ProcessDraft.of(v2).build());
        assertThat(cut.error()).startsWith("cannot say whether web works: the host was asked to stop");
        assertThat(box.tree("web").resolveSibling(".web.mesh-old").resolve("version"))
                .hasContent("v1");
        box.stopping = false;
        box.ticker.meanwhile = () -> {};
        assertThat(box.apply(ProcessDraft.of(v2).build()).error()).isEmpty();
        assertThat(box.services.running("web.service")).get().asString().contains("version v2");
        assertThat(root.resolve("daemons")).isDirectoryNotContaining("glob:**.mesh-*");
    }

    @Test
    void anArtifactThatIsNotPublishedIsAFailureThatSaysWhatToDo() {
        Told result = box.apply(ProcessDraft.of(new Bytes.Unpublished("web")).build());
        assertThat(result.error())
                .isEqualTo("cannot run web: artifact web is not published; publish it, or give a file with --artifact"
                        + " web=PATH");
    }

    @Test
    void anArtifactOfAnotherSystemIsSkipped() {
        Told result =
                box.apply(ProcessDraft.of(new Bytes.OtherSystem("web", "arch")).build());
        assertThat(result.action()).isEqualTo("skipped");
        assertThat(result.detail()).isEqualTo("artifact web is built for arch");
    }

    @Test
    void aLocalSourceOfOtherBytesIsRefusedBeforeAnythingIsDone() {
        Told result = box.apply(ProcessDraft.of(new Bytes.Published(java.net.URI.create("file:///srv/" + crash), v1))
                .build());
        assertThat(result.error()).contains("/srv/" + crash + " is sha256:" + crash + ", declared is sha256:" + v1);
        assertThat(box.services.calls).isEmpty();
    }

    @Test
    void aFileGivenForAnArtifactIsTaken() {
        Told result = box.apply(
                ProcessDraft.of(new Bytes.Given("web", Path.of("/srv/" + v1))).build());
        assertThat(result.action()).isEqualTo("created");
        assertThat(result.detail()).startsWith("3 entries");
    }
}
