package io.meshhost.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.meshhost.control.Wire;
import io.meshhost.testing.Needs;
import io.meshhost.testing.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The real host where its state directory takes nothing: it runs, alone, and says what is wrong (SPEC 1). */
@Tag("root")
class StateOnABadDiskTest {
    private static final String READ_ONLY = "the file system is read-only";

    @TempDir
    private Path temp;

    private Path root;
    private final List<HostProcess> started = new ArrayList<>();
    private final List<Path> mounted = new ArrayList<>();

    @BeforeEach
    void aDeclaration() throws IOException {
        Needs.root();
        Needs.that(Files.exists(HostProcess.JAR), HostProcess.JAR + " (the package phase)");
        root = temp.toRealPath().resolve("r");
        Files.writeString(
                Files.createDirectories(root.resolve("etc/mesh-host")).resolve("declaration.yaml"), """
                module: demo
                version: "1"
                slug: demo
                resources:
                  - {id: motd, type: file, path: /srv/motd, content: hello}
                """);
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        for (HostProcess process : started.reversed()) {
            process.end();
        }
        for (Path directory : mounted) {
            Shell.must("umount", directory.toString());
        }
    }

    /** Below the mount, the state directory itself is missing and cannot be made. */
    @ParameterizedTest
    @ValueSource(strings = {"var/lib/mesh-host", "var/lib"})
    void onAReadOnlyOneTheHostRunsAloneSaysSoAndConvergesOnceItIsWritable(String mount) throws Exception {
        mount(mount);
        remount(mount, "ro");
        HostProcess host = run("first");
        host.awaitReconciles(1);
        assertThat(host.status().path("state").asText()).isEqualTo("failed");
        assertThat(host.page()).contains("failed: cannot ", READ_ONLY, "what to do: mend that");
        refused(host);

        remount(mount, "rw");
        refused(host);
        host.signal("HUP");
        until(() -> assertThat(host.status().path("state").asText()).isEqualTo("well"));
        assertThat(root.resolve("srv/motd")).hasContent("hello");
        host.signal("TERM");
        assertThat(host.awaitExit()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"read-only", "full"})
    void supervisedItIsStartedOnceAndKeptRunning(String disk) throws Exception {
        String state = "var/lib/mesh-host";
        mount(state);
        if (disk.equals("full")) {
            Shell.run(List.of("dd", "if=/dev/zero", "bs=64k", "of=" + root.resolve(state).resolve("filler")));
        } else {
            remount(state, "ro");
        }
        HostProcess supervisor = launch("first");
        until(() -> assertThat(launcher(supervisor).path("state").asText()).isEqualTo("running"));
        long host = launcher(supervisor).path("child").asLong();
        supervisor.signal("HUP");
        supervisor.awaitReconciles(2);
        assertThat(supervisor.status().path("pid").asLong()).isEqualTo(host);
        assertThat(launcher(supervisor).path("failures").asInt()).isZero();
        assertThat(supervisor.page()).contains("supervisor   running", "this status stands in memory only", disk);
        assertThat(supervisor.log()).containsOnlyOnce(" runs, pid ");
    }

    /** It has written no pid down, and its host holds no file. */
    @Test
    void onAReadOnlyOneTheHostOfAKilledSupervisorIsEndedByTheNext() throws Exception {
        mount("var/lib/mesh-host");
        remount("var/lib/mesh-host", "ro");
        HostProcess first = launch("first");
        until(() -> assertThat(launcher(first).path("state").asText()).isEqualTo("running"));
        long left = launcher(first).path("child").asLong();
        first.signal("KILL");
        first.awaitExit();

        HostProcess next = launch("next");
        until(() -> assertThat(launcher(next).path("state").asText()).isEqualTo("running"));
        assertThat(launcher(next).path("child").asLong()).isNotEqualTo(left);
        assertThat(ProcessHandle.of(left)).isEmpty();
        assertThat(next.log()).contains("ending pid " + left + ", which an earlier supervisor left");
    }

    private void refused(HostProcess first) throws Exception {
        HostProcess second = run("second");
        assertThat(second.awaitExit()).isEqualTo(1);
        assertThat(second.log())
                .contains("cannot run: another host, pid " + first.pid() + ", keeps "
                        + root.resolve("var/lib/mesh-host") + "; stop it first");
    }

    private HostProcess run(String name) throws IOException {
        return remember(HostProcess.run(root, Files.createDirectories(temp.resolve(name))));
    }

    private HostProcess launch(String name) throws IOException {
        return remember(HostProcess.launch(root, Files.createDirectories(temp.resolve(name))));
    }

    private HostProcess remember(HostProcess process) {
        started.add(process);
        return process;
    }

    private JsonNode launcher(HostProcess supervisor) throws Exception {
        String said = supervisor.command("status", "--json", "--root", root.toString()).out();
        return Wire.tree(said).path("launcher");
    }

    private void mount(String directory) throws Exception {
        Path at = Files.createDirectories(root.resolve(directory));
        Shell.must("mount", "-t", "tmpfs", "-o", "size=16m,mode=700", "none", at.toString());
        mounted.add(at);
    }

    private void remount(String directory, String how) throws Exception {
        Shell.must("mount", "-o", "remount," + how, root.resolve(directory).toString());
    }

    private static void until(org.awaitility.core.ThrowingRunnable check) {
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(200))
                .untilAsserted(check);
    }
}
