package io.meshhost.apply;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.meshhost.apply.testing.ProcessDraft;
import io.meshhost.apply.testing.ProcessWorld;
import io.meshhost.declaration.Resource;
import io.meshhost.declaration.Resource.Bytes;
import io.meshhost.machine.services.BuiltinServices;
import io.meshhost.machine.services.BuiltinSupervisor;
import io.meshhost.machine.services.ServiceState.Active;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Without systemd and without a running host an apply installs; the host starts what is installed. */
class BuiltinOneShotTest {
    @TempDir
    Path folder;

    private Bytes bundle;

    private ProcessWorld once() throws IOException {
        return ProcessWorld.of(folder, folder.resolve("units"), BuiltinServices::new);
    }

    @BeforeEach
    void publish() throws IOException {
        try (ProcessWorld world = once()) {
            bundle = world.publish(Map.of("app*", "#!/bin/sh\necho up\nexec sleep 1000\n"));
        }
    }

    private ProcessDraft web() {
        return ProcessDraft.of(bundle).run("./app");
    }

    @Test
    void itSaysThatItStartsWithTheHostAndASecondApplyChangesNothing() throws IOException {
        Resource web = web().secret("KEY", "s").build();
        Resource job = web().id("demo/job").named("job").at("0 3 * * *").build();
        try (ProcessWorld world = once()) {
            assertThat(world.report(web, job).outcomes())
                    .extracting(Outcome::action, Outcome::detail)
                    .containsExactly(
                            tuple("created", "1 entry, installed as web.service, starts with the host"),
                            tuple("created", "1 entry, scheduled as job.timer, starts with the host"));
            assertThat(world.state("web.service").subState()).isEqualTo("starts-with-host");
        }
        try (ProcessWorld world = once()) {
            assertThat(world.plan(web, job).pending()).isZero();
            assertThat(world.report(web, job).summary()).isEqualTo(Map.of("unchanged", 2));
        }
    }

    @Test
    void theHostRunsWhatWasInstalledAndFindsItAsDeclared() throws IOException {
        Resource web = web().build();
        try (ProcessWorld world = once()) {
            world.apply(web);
        }
        try (ProcessWorld world = ProcessWorld.of(folder, folder.resolve("units"), BuiltinSupervisor::new);
                BuiltinSupervisor host = (BuiltinSupervisor) world.services()) {
            host.start();
            await().atMost(10, SECONDS).until(() -> world.state("web.service").active() == Active.ACTIVE);
            assertThat(world.apply(web).action()).isEqualTo("unchanged");
        }
    }

    @Test
    void undeclaredItLeavesNothing() throws IOException {
        try (ProcessWorld world = once()) {
            world.apply(web().secret("KEY", "s").at("0 3 * * *").build());
            assertThat(world.apply().action()).isEqualTo("removed");
            assertThat(world.services().filesOf("web")).noneMatch(Files::exists);
            assertThat(world.tree("web")).doesNotExist();
            assertThat(world.state().resolve("secrets")).isEmptyDirectory();
            assertThat(world.state("web.timer").exists()).isFalse();
        }
    }
}
