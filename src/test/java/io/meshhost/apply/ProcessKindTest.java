package io.meshhost.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.apply.testing.ProcessBox.Told;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A daemon from the first apply to the last, every branch of keeping it. */
class ProcessKindTest extends ProcessFixture {
    @Test
    void aNewDaemonIsUnpackedEnabledAndRuns() {
        Told result = box.apply(web(v1).build());
        assertThat(result.action()).isEqualTo("created");
        assertThat(result.detail()).isEqualTo("4 entries, running as web.service");
        assertThat(box.tree("web").resolve("bin/app")).hasContent("one");
        assertThat(box.services.running("web.service")).get().asString().contains("version v1");
        assertThat(box.services.enabled()).containsExactly("web.service");
    }

    @Test
    void aSecondApplyChangesNothingAndWritesNothing() {
        box.apply(web(v1).build());
        box.services.calls.clear();
        box.probe((number, operation, path) -> {
            throw new AssertionError(operation + " " + path);
        });
        Told result = box.apply(web(v1).build());
        assertThat(result.action()).isEqualTo("unchanged");
        assertThat(result.detail()).isEqualTo("running as web.service");
        assertThat(box.services.calls).isEmpty();
    }

    @Test
    void aBundleIsFetchedOnce() {
        box.apply(web(v1).build());
        box.apply(web(v1).env("A", "b").build());
        box.undeclare("demo/web");
        box.apply(web(v1).build());
        assertThat(box.bundles.fetched).containsExactly(v1);
    }

    @Test
    void aNewBundleReplacesTheOldWhole() {
        box.apply(web(v1).build());
        Told result = box.apply(web(v2).build());
        assertThat(result.action()).isEqualTo("updated");
        assertThat(result.detail()).isEqualTo("4 entries, running as web.service, new bundle");
        assertThat(box.tree("web").resolve("new.txt")).exists();
        assertThat(box.tree("web").resolve("old.txt")).doesNotExist();
        assertThat(box.services.running("web.service")).get().asString().contains("version v2");
        assertThat(names()).containsExactly("web");
    }

    @Test
    void aChangedCommandIsAnUpdateThatUnpacksNothing() {
        box.apply(web(v1).build());
        Told result = box.apply(web(v1).run("bin/app", "--fast").build());
        assertThat(result.action()).isEqualTo("updated");
        assertThat(box.bundles.unpacked).hasSize(1);
        assertThat(box.services.running("web.service")).get().asString().contains("run --fast");
    }

    @Test
    void aChangedValueIsAnUpdateAndTheUnitsDiffIsShown() {
        box.apply(web(v1).env("PORT", "80").build());
        Change plan = box.plan(web(v1).env("PORT", "81").build());
        assertThat(plan.action()).isEqualTo(Action.UPDATED);
        assertThat(plan.diff().lines()).contains("-PORT=80", "+PORT=81").noneMatch(line -> line.startsWith("bundle"));
    }

    @Test
    void aNewBundlesDiffNamesWhatComesGoesAndChanges() {
        box.apply(web(v1).build());
        box.bundles.fetch(java.net.URI.create("https://bundles.invalid/2"), v2, io.meshhost.machine.Progress.NONE);
        assertThat(box.plan(web(v2).build()).diff().lines())
                .containsExactly(
                        "bundle: sha256:" + v1 + " -> sha256:" + v2 + ", 4 bytes",
                        "  ~ bin/app (4 bytes)",
                        "  + new.txt (1 bytes)",
                        "  - old.txt");
    }

    @Test
    void whatItReadsChangedSoItIsRestartedThoughItIsUnchanged() {
        box.apply(web(v1).build());
        Told result = box.apply(web(v1).build(), "demo/config");
        assertThat(result.action()).isEqualTo("updated");
        assertThat(result.detail()).endsWith("restarted because demo/config changed");
        assertThat(box.services.calls).contains("restart web.service");
        assertThat(box.bundles.unpacked).hasSize(1);
    }

    @Test
    void aUnitThatTheHostDidNotWriteIsNeverOverridden() throws IOException {
        Files.createDirectories(root.resolve("units"));
        Files.writeString(box.unit("web.service"), "[Service]\nExecStart=/bin/true\n");
        Told result = box.apply(web(v1).build());
        assertThat(result.action()).isEqualTo("failed");
        assertThat(result.error()).startsWith("cannot install web: ").contains("that mesh-host did not write");
        assertThat(box.unit("web.service")).hasContent("[Service]\nExecStart=/bin/true");
        assertThat(box.services.calls).isEmpty();
    }

    @Test
    void aUnitThatWasUnderstoodOtherwiseIsTakenBack() {
        box.apply(web(v1).build());
        String before = text("web.service");
        Told result = box.apply(web(v2).env("MISREAD", "x").build());
        assertThat(result.error())
                .isEqualTo("cannot install web: systemd understood its unit otherwise than it was meant: MISREAD was"
                        + " dropped; the old version was put back and runs again");
        assertThat(text("web.service")).isEqualTo(before);
        assertThat(box.services.running("web.service")).get().asString().contains("version v1");
    }

    @Test
    void aUserOwnsTheBundleAndRunsIt() {
        box.wholeMachine = true;
        box.users.put("web", 990);
        box.apply(web(v1).as("web").build());
        assertThat(box.bundles.unpacked).containsExactly(v1 + " as 990:5990");
        assertThat(box.services.running("web.service")).get().asString().contains("user web");
    }

    @Test
    void aUserThatIsNotThereIsAFailureBeforeAnythingIsStarted() {
        box.wholeMachine = true;
        Told result = box.apply(web(v1).as("nobody-here").build());
        assertThat(result.error())
                .isEqualTo("cannot run web as nobody-here: there is no such user; declare it, and name it in after;"
                        + " nothing was started, and nothing of it stays");
        assertThat(box.unit("web.service")).doesNotExist();
        assertThat(box.tree("web")).doesNotExist();
    }

    @Test
    void withoutRootItRunsAsTheCaller() {
        box.asRoot = false;
        assertThat(box.apply(web(v1).as("web").build()).action()).isEqualTo("created");
        assertThat(box.services.running("web.service")).get().asString().doesNotContain("user");
    }

    @Test
    void aOneShotApplyWithTheBuiltInSupervisorInstallsAndSaysWhenItStarts() {
        box.services.live = false;
        box.services.systemd = false;
        Told result = box.apply(web(v1).build());
        assertThat(result.detail()).isEqualTo("4 entries, installed as web.service, starts with the host");
        assertThat(box.services.running()).isEmpty();
        assertThat(box.services.enabled()).containsExactly("web.service");
        assertThat(box.ticker.passed()).isEqualTo(Duration.ZERO);
        assertThat(box.apply(web(v1).build()).action()).isEqualTo("unchanged");
    }

    @Test
    void whatIsStagedAndThenNotDoneIsPutBack() {
        box.apply(web(v1).build());
        String before = text("web.service");
        box.stageOnly(web(v1).env("A", "b").build());
        assertThat(text("web.service")).isEqualTo(before);
        assertThat(box.apply(web(v1).build()).error()).isEmpty();
        assertThat(box.apply(web(v1).build()).action()).isEqualTo("unchanged");
    }

    @Test
    void aNewProcessStagedAndThenNotDoneLeavesNoUnit() {
        box.stageOnly(web(v1).build());
        assertThat(box.unit("web.service")).doesNotExist();
    }

    @Test
    void oneReloadCoversTheUnitsThatWereStaged() {
        box.apply(web(v1).build());
        assertThat(box.services.calls).filteredOn("reload"::equals).hasSize(1);
    }
}
