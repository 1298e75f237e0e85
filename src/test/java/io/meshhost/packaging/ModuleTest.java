package io.meshhost.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.meshhost.testing.Shell;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** packaging/module.json: what delivers the host to a machine. */
class ModuleTest {
    private static final Path MANIFEST = Path.of("packaging/module.json");
    private static final Path SCRIPT = Path.of("packaging/nox-mesh-host-launch");

    @TempDir
    private Path folder;

    /**
     * The script is delivered as a file, since that is written whole under another name and renamed: the shell that is
     * reading the old one keeps it. So there are two copies of it, and nothing but this keeps them equal.
     */
    @Test
    void theManifestsCopyOfTheScriptIsTheScript() throws Exception {
        assertThat(drift(Files.readString(SCRIPT), Files.readString(MANIFEST))).isEmpty();
        assertThat(Files.isExecutable(SCRIPT)).isTrue();
    }

    @Test
    void oneByteOfDriftOnEitherSideIsSeen() throws Exception {
        String script = Files.readString(SCRIPT);
        String manifest = Files.readString(MANIFEST);

        assertThat(drift(script + "\n", manifest)).containsExactly("content");
        assertThat(drift(script.replaceFirst("exec", "eval"), manifest)).containsExactly("content");
        assertThat(drift(script, manifest.replaceFirst("exec ", "eval "))).containsExactly("content");
        assertThat(drift(script, manifest.replaceFirst("0755", "0644"))).containsExactly("mode");
        assertThat(drift(script, manifest.replaceFirst("nox-mesh-host/launch\"", "nox-mesh-host/start\"")))
                .containsExactly("path");
    }

    /** In what the manifest delivers another script, or delivers it elsewhere. */
    private static List<String> drift(String script, String manifest) throws Exception {
        JsonNode launcher = StreamSupport.stream(
                        new ObjectMapper().readTree(manifest).get("resources").spliterator(), false)
                .filter(resource -> resource.get("id").asText().equals("launcher"))
                .findFirst()
                .orElseThrow();
        List<String> drifted = new ArrayList<>();
        wants(launcher, "type", "file", drifted);
        wants(launcher, "path", "/usr/lib/nox-mesh-host/launch", drifted);
        wants(launcher, "mode", "0755", drifted);
        wants(launcher, "content", script, drifted);
        return drifted;
    }

    private static void wants(JsonNode resource, String field, String value, List<String> drifted) {
        if (!resource.path(field).asText().equals(value)) {
            drifted.add(field);
        }
    }

    @Test
    void itsVersionIsTheBuilds() throws Exception {
        String version =
                new ObjectMapper().readTree(MANIFEST.toFile()).get("version").asText();

        assertThat(Files.readString(Path.of("pom.xml")))
                .contains("<artifactId>mesh-host</artifactId>\n  <version>" + version + "</version>");
    }

    @Test
    @Tag("packaged")
    void appliedItDeliversTheScriptAndAHostThatRuns() throws Exception {
        Path archive = folder.resolve("host.tar.gz");
        Path root = Files.createDirectory(folder.resolve("root"));
        Shell.must("packaging/archive", archive.toString());

        String said = Shell.must(
                "env",
                "MESH_HOST_AOT=off",
                "target/bin/nox-mesh-host",
                "apply",
                "--root",
                root.toString(),
                "--artifact",
                "host=" + archive,
                MANIFEST.toString());

        assertThat(said).contains("done: 2 created").doesNotContain("warning");
        Path libexec = root.resolve("usr/lib/nox-mesh-host");
        assertThat(libexec.resolve("launch")).isExecutable().hasSameTextualContentAs(SCRIPT);
        String version =
                new ObjectMapper().readTree(MANIFEST.toFile()).get("version").asText();
        assertThat(Shell.must(
                        libexec.resolve("versions/" + version + "/nox-mesh-host")
                                .toString(),
                        "version"))
                .isEqualTo("nox-mesh-host " + version + "\n");
        assertThat(Shell.must(
                        "env",
                        "MESH_HOST_STATE_DIR=" + root.resolve("var/lib/mesh-host"),
                        "MESH_HOST_LIBEXEC=" + libexec,
                        "MESH_HOST_BIN=" + root.resolve("none"),
                        "sh",
                        "-c",
                        // What the script would become, without becoming it.
                        "sed 's/exec \"$1\" launch/exec \"$1\" version/' \"$1\" | sh -s",
                        "sh",
                        libexec.resolve("launch").toString()))
                .isEqualTo("nox-mesh-host " + version + "\n");
    }

    @Test
    @Tag("packaged")
    void theSameBuildGivesTheSameArchive() throws Exception {
        Path one = folder.resolve("1.tar.gz");
        Path two = folder.resolve("2.tar.gz");
        Shell.must("packaging/archive", one.toString());
        Shell.must("sh", "-c", "umask 077; TZ=Asia/Tokyo packaging/archive \"$1\"", "sh", two.toString());

        assertThat(Files.mismatch(one, two)).isEqualTo(-1);
    }
}
