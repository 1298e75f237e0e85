package io.meshhost.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meshhost.testing.Needs;
import io.meshhost.testing.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a machine with the package does when packaging/module.json delivers versions to it, a good one and a bad one. */
@Tag("systemd")
class DeliveryTest {
    private static final Path STATE = Path.of("/var/lib/mesh-host");
    private static final Path VERSIONS = Path.of("/usr/lib/nox-mesh-host/versions");
    private static final Path DECLARATION = Path.of("/etc/mesh-host/declaration.json");
    private static final Path SETTINGS = Path.of("/etc/mesh-host/host.env");
    private static final String DIES = "#!/bin/sh\nexit 1\n";

    @TempDir
    private Path folder;

    @BeforeEach
    void aMachineWithThePackage() throws Exception {
        Needs.systemd();
        Needs.root();
        Needs.command("dpkg");
        Debian.aJava();
        // A cache that is made in the background would take the processor from what is timed here.
        Shell.must("systemctl", "set-environment", "MESH_HOST_AOT=off");
        Files.createDirectories(SETTINGS.getParent());
        Files.writeString(SETTINGS, "MESH_HOST_BACKOFF=0.2\n");
        Shell.must("dpkg", "--force-unsafe-io", "--force-confold", "-i", Debian.built().toString());
        Debian.awaitActive();
        Shell.must("packaging/archive", folder.resolve("good.tar.gz").toString());
    }

    @AfterEach
    void withoutIt() throws Exception {
        Shell.must("dpkg", "-P", "nox-mesh-host");
        Shell.must("rm", "-rf", "/etc/mesh-host");
        Shell.must("systemctl", "unset-environment", "MESH_HOST_AOT");
        assertThat(Debian.running()).isEmpty();
    }

    @Test
    void aGoodVersionIsTakenAtOnceAndABadOneIsGivenUp() throws Exception {
        deliver("1.0", folder.resolve("good.tar.gz"));
        awaitHost(VERSIONS + "/1.0");
        assertThat(Duration.between(arrival("1.0"), startOfHost()))
                .as("from the arrival of a version to the start of its process")
                .isLessThan(Duration.ofSeconds(2));
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(STATE.resolve("known-good")).hasContent("1.0"));
        assertThat(STATE.resolve("start-attempts")).doesNotExist();

        deliver("1.1", archive("bad", DIES));
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(STATE.resolve("rejected")).content().contains(" 1.1\n"));
        awaitHost(VERSIONS + "/1.0");
        assertThat(host("versions").said())
                .contains("1.1  rejected", "* 1.0  running, pinned, known good", "pinned by a rollback");

        long before = hostProcess().orElseThrow().pid();
        Files.writeString(DECLARATION, "{\"modules\": [{}]}");
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(host("status").said()).contains("its declaration is refused"));
        assertThat(hostProcess().orElseThrow().pid()).isEqualTo(before);
        assertThat(Debian.property("NRestarts")).isEqualTo("0");
    }

    /** By packaging/module.json, as a machine gets it. */
    private static void deliver(String version, Path archive) throws Exception {
        ObjectMapper mapper = new ObjectMapper();
        ObjectNode manifest = (ObjectNode) mapper.readTree(Path.of("packaging/module.json").toFile());
        manifest.put("version", version);
        JsonNode artifact = manifest.at("/build/artifacts/0");
        String digest = Shell.must("sha256sum", archive.toString()).split(" ", 2)[0];
        ((ObjectNode) artifact).put("source", archive.toString()).put("digest", "sha256:" + digest);
        Path written = DECLARATION.resolveSibling("declaration.new");
        Files.writeString(written, mapper.writeValueAsString(manifest));
        Files.move(written, DECLARATION, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private Path archive(String name, String script) throws Exception {
        Path tree = Files.createDirectory(folder.resolve(name));
        program(tree.resolve("nox-mesh-host"), script);
        Path archive = folder.resolve(name + ".tar");
        Shell.must("tar", "-C", tree.toString(), "-cf", archive.toString(), ".");
        return archive;
    }

    private static Path program(Path file, String script) throws IOException {
        Files.writeString(file, script);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** A rename changes the ctime of what is renamed. */
    private static Instant arrival(String version) throws IOException {
        return ((FileTime) Files.getAttribute(VERSIONS.resolve(version), "unix:ctime")).toInstant();
    }

    private static Instant startOfHost() {
        return hostProcess().orElseThrow().info().startInstant().orElseThrow();
    }

    private static void awaitHost(String of) {
        await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> assertThat(
                        hostProcess().flatMap(process -> process.info().commandLine()))
                .as(Debian::journal)
                .hasValueSatisfying(line -> assertThat(line).contains("-jar " + of + "/quarkus-app/")));
        Debian.awaitActive();
    }

    private static Optional<ProcessHandle> hostProcess() {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info()
                        .commandLine()
                        .filter(line -> line.contains("/quarkus-app/quarkus-run.jar") && line.endsWith(" run"))
                        .isPresent())
                .findFirst();
    }

    private static Shell.Ended host(String command) throws IOException, InterruptedException {
        return Shell.run(List.of("env", "MESH_HOST_AOT=off", "nox-mesh-host", command));
    }
}
