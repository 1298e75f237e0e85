package io.meshhost.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.meshhost.testing.Needs;
import io.meshhost.testing.Shell;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HUP while the host, the real one, is only starting: nothing ends by it, and what was asked for is done. */
@Tag("packaged")
class HangUpAtStartTest {
    @TempDir
    Path dir;

    @BeforeEach
    void aMachineWhoseFirstReconcileWaits() throws Exception {
        Needs.that(Files.exists(HostProcess.JAR), "target/quarkus-app (a build)");
        Files.createDirectories(dir.resolve("cwd"));
        Path etc = Files.createDirectories(dir.resolve("r/etc/mesh-host"));
        Path tree = Files.createDirectories(dir.resolve("tree"));
        Path step = Files.writeString(
                tree.resolve("run"),
                "#!/bin/sh\n: > '%1$s/begun'\nuntil [ -e '%1$s/go' ]; do sleep 0.05; done\n".formatted(dir));
        assertThat(step.toFile().setExecutable(true)).isTrue();
        Path tar = etc.resolve("a.tar");
        Shell.must("tar", "-cf", tar.toString(), "-C", tree.toString(), ".");
        Files.writeString(etc.resolve("declaration.yaml"), """
                modules:
                  - module: demo
                    version: "1"
                    slug: demo
                    resources:
                      - {id: step, type: process, name: step, source: a.tar, digest: "sha256:%s", run: [./run], run_once: true}
                """.formatted(
                        Shell.must("sha256sum", tar.toString()).substring(0, 64)));
    }

    private void untilTheFirstReconcileWaits() {
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> Files.exists(dir.resolve("begun")));
    }

    @Test
    void duringTheFirstReconcileItLeadsToAnother() throws Exception {
        try (HostProcess host = HostProcess.run(dir.resolve("r"), dir.resolve("cwd"))) {
            untilTheFirstReconcileWaits();
            host.signal("HUP");
            host.signal("HUP");
            assertThat(host.status().path("reconciles").asLong()).isZero();
            Files.createFile(dir.resolve("go"));
            host.awaitReconciles(2);
            assertThat(host.status().path("last").path("why").toString()).contains("HUP");
            host.end();
        }
    }

    @Test
    void atEveryMomentOfAStartUnderTheSupervisorItEndsNothing() throws Exception {
        try (HostProcess supervisor = HostProcess.launch(dir.resolve("r"), dir.resolve("cwd"))) {
            // Before it listens itself nobody can have told it: systemd reloads what has said that it is up.
            Path listens = dir.resolve("r/run/mesh-host/launcher.sock");
            await().atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> Files.exists(listens));
            await().atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofMillis(10))
                    .until(() -> {
                        supervisor.signal("HUP");
                        return Files.exists(dir.resolve("begun"));
                    });
            Files.createFile(dir.resolve("go"));
            supervisor.awaitReconciles(2);
            assertThat(supervisor.status().path("state").asText()).isEqualTo("well");
            supervisor.end();
            assertThat(supervisor.log()).doesNotContain("consecutive").containsOnlyOnce("running ");
            assertThat(supervisor.log()).containsOnlyOnce("has completed its first reconcile");
        }
    }
}
