package io.meshhost;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.testing.Needs;
import io.meshhost.testing.Shell;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** target/bin/nox-mesh-host as it is started by people and by init. */
@Tag("packaged")
class LauncherScriptTest {
    private static final Path SCRIPT = Path.of("target/bin/nox-mesh-host").toAbsolutePath();

    @TempDir
    Path temp;

    @BeforeEach
    void aBuild() {
        Needs.that(Files.isExecutable(SCRIPT), SCRIPT.getFileName() + " in target/bin (the package phase)");
    }

    @Test
    void itRunsThroughALinkFromAFolderWithASpaceAndAnEmptyEnvironment() throws Exception {
        Path link = Files.createDirectories(temp.resolve("a folder")).resolve("host");
        Files.createSymbolicLink(link, SCRIPT);

        Shell.Ended ended = started(List.of("MESH_HOST_AOT=off"), link, "version");
        Files.delete(link);

        assertThat(ended.said()).startsWith("nox-mesh-host ");
        assertThat(ended.status()).isZero();
    }

    @Test
    void theCacheIsMadeInADirectoryOfThisUsersAloneAndThoseOfApplicationsThatAreGoneGo() throws Exception {
        Path cache = Files.createDirectory(temp.resolve("nox-mesh-host"));
        Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwx------"));
        Files.writeString(cache.resolve("1.place"), temp.resolve("gone with its folder") + "\n");
        Files.writeString(cache.resolve("1-2.aot"), "");
        Files.writeString(cache.resolve("3.place"), temp + "\n");
        Files.writeString(cache.resolve("3-4.aot"), "");

        Shell.Ended ended = started(List.of("MESH_HOST_AOT=wait", "XDG_CACHE_HOME=" + temp), SCRIPT, "schema");

        Path folder = temp.resolve("nox-mesh-host");
        assertThat(ended.said()).startsWith("{");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                .isEqualTo("rwx------");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString().replaceAll("[0-9]{3,}", "N"))
                            .sorted())
                    .containsExactly("3-4.aot", "3.place", "N-N.aot", "N.place");
        }
    }

    @Test
    void aCacheDirectoryThatOthersMayWriteIsNeverUsed() throws Exception {
        Path folder = Files.createDirectory(temp.resolve("nox-mesh-host"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));

        Shell.Ended ended = started(List.of("MESH_HOST_AOT=wait", "XDG_CACHE_HOME=" + temp), SCRIPT, "schema");

        assertThat(ended.status()).isZero();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void namesThatAreNotAsciiArriveWithoutALocale() throws Exception {
        Path file = Files.writeString(temp.resolve("d\u00e9claration.yaml"), "serial: nothing\n");

        Shell.Ended ended = started(List.of("MESH_HOST_AOT=off"), SCRIPT, "validate", "--trust-file", file.toString());

        assertThat(ended.status()).isEqualTo(3);
        assertThat(ended.said()).contains("d\u00e9claration.yaml:1:");
    }

    private static Shell.Ended started(List<String> environment, Path program, String... arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of("env", "-i", "PATH=/usr/bin:/bin"));
        words.add("JAVA_HOME=" + System.getProperty("java.home"));
        words.addAll(environment);
        words.add(program.toString());
        words.addAll(List.of(arguments));
        return Shell.run(words);
    }
}
