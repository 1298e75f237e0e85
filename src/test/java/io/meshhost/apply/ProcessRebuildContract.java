package io.meshhost.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.apply.testing.ProcessDraft;
import io.meshhost.apply.testing.ProcessWorld;
import io.meshhost.declaration.Resource;
import io.meshhost.declaration.Resource.Bytes;
import io.meshhost.machine.services.ServiceState.Active;
import io.meshhost.record.Applied;
import io.meshhost.record.Applied.Origin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The record is lost while processes run; the same under every supervisor. */
abstract class ProcessRebuildContract {
    private static final String UNIT = "mesh-lost.service";
    private static final String SERVE = "#!/bin/sh\nexec sleep 1000\n";

    @TempDir
    Path folder;

    ProcessWorld world;
    private Bytes v1;
    private Bytes v2;
    private Resource web;
    private Resource job;
    private Resource step;

    abstract ProcessWorld open() throws IOException;

    @BeforeEach
    void theRecordOfWhatRunsIsLost() throws IOException {
        world = open();
        v1 = world.publish(Map.of("app*", SERVE, "version", "1"));
        v2 = world.publish(Map.of("app*", SERVE, "version", "2"));
        Bytes once = world.publish(Map.of("app*", "#!/bin/sh\necho done >>" + folder.resolve("done") + "\n"));
        web = web(v1).secret("KEY", "hidden").env("SEEN", "x").build();
        job = ProcessDraft.of(v1)
                .id("demo/job")
                .named("mesh-lost-job")
                .run("./app")
                .at("0 3 * * *")
                .build();
        step = ProcessDraft.of(once)
                .id("demo/step")
                .named("mesh-lost-step")
                .run("./app")
                .once()
                .build();
        assertThat(world.report(web, job, step).ok()).isTrue();
        world.loseRecord();
    }

    @AfterEach
    void nothingStays() {
        if (world != null) {
            world.force();
            world.close();
        }
    }

    private static ProcessDraft web(Bytes bundle) {
        return ProcessDraft.of(bundle).named("mesh-lost").run("./app");
    }

    private static List<String> actions(Report report) {
        return report.outcomes().stream()
                .map(outcome -> outcome.id() + " " + outcome.action())
                .toList();
    }

    private Origin origin(String id) {
        return Applied.of(world.recorded(), id).orElseThrow().origin();
    }

    @Test
    void whatIsThereAsDeclaredIsAdoptedAndNeitherRestartedNorRunAgain() throws IOException {
        int pid = world.state(UNIT).mainPid();
        Report rebuilt = world.rebuild(web, job, step);
        assertThat(actions(rebuilt)).containsExactly("demo/web unchanged", "demo/job unchanged", "demo/step unchanged");
        assertThat(rebuilt.outcomes().getLast().detail())
                .isEqualTo("1 entry, taken as done, was so already; kept from now on");
        assertThat(world.state(UNIT).mainPid()).isPositive().isEqualTo(pid);
        assertThat(folder.resolve("done")).hasContent("done");
        assertThat(world.recorded().values()).hasSize(3).allMatch(row -> row.origin() == Origin.UNKNOWN);
        assertThat(world.plan(web, job, step).pending()).isZero();
        assertThat(world.report(web, job, step).summary()).isEqualTo(Map.of("unchanged", 3));
        assertThat(folder.resolve("done")).hasContent("done");
    }

    @Test
    void itIsNeverTakenAwayUntold() {
        int pid = world.state(UNIT).mainPid();
        world.rebuild(web, job, step);
        assertThat(world.report().summary()).isEqualTo(Map.of("skipped", 3));
        assertThat(world.state(UNIT).mainPid()).isPositive().isEqualTo(pid);
        assertThat(world.force().summary()).isEqualTo(Map.of("removed", 3));
        assertThat(world.state(UNIT).exists()).isFalse();
        assertThat(world.tree("mesh-lost")).doesNotExist();
    }

    @Test
    void whatIsDeclaredOtherwiseIsInstalledAnew() {
        Report rebuilt = world.rebuild(web(v2).build(), job, step);
        assertThat(actions(rebuilt)).containsExactly("demo/web created", "demo/job unchanged", "demo/step unchanged");
        assertThat(world.tree("mesh-lost").resolve("version")).hasContent("2");
        assertThat(world.state(UNIT).active()).isEqualTo(Active.ACTIVE);
        assertThat(origin("demo/web")).isEqualTo(Origin.KNOWN);
        assertThat(origin("demo/job")).isEqualTo(Origin.UNKNOWN);
    }

    @Test
    void whatWasTouchedOrDoesNotRunIsInstalledAnew() throws IOException {
        world.services().stop(UNIT);
        Files.writeString(world.tree("mesh-lost-job").resolve("version"), "by hand");
        Report rebuilt = world.rebuild(web, job, step);
        assertThat(actions(rebuilt)).containsExactly("demo/web created", "demo/job created", "demo/step unchanged");
        assertThat(world.state(UNIT).active()).isEqualTo(Active.ACTIVE);
        assertThat(world.tree("mesh-lost-job").resolve("version")).hasContent("1");
        assertThat(world.report(web, job, step).summary()).isEqualTo(Map.of("unchanged", 3));
    }
}
