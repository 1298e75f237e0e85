package io.meshhost;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real mvnw, in a folder with a space in its name, with a small Maven that prints how it was called. */
class MvnwTest {
    @TempDir
    Path temp;

    private Path project;
    private Path home;
    private Path bin;
    private Path jdk;
    private Path archive;

    @BeforeEach
    void aProjectAHomeAndAMachinesOwnMvn() throws Exception {
        project = Files.createDirectories(temp.resolve("a project"));
        home = Files.createDirectories(temp.resolve("home"));
        bin = Files.createDirectories(temp.resolve("bin"));
        jdk = jdk("jdk-25", "25.0.3");
        Files.copy(Path.of("mvnw"), project.resolve("mvnw"));
        executable(project.resolve("mvnw"), Files.readString(project.resolve("mvnw")));
        archive = aMaven();
        pin(sha512(archive));
        // The machine's own Maven, as far as mvnw uses it: copies an artifact into the folder it is told.
        executable(
                bin.resolve("mvn"),
                "#!/bin/sh\nfor a in \"$@\"; do case $a in -DoutputDirectory=*) cp '" + archive
                        + "' \"${a#-DoutputDirectory=}\"/ ;; esac; done\n");
    }

    @Test
    void aDigestThatIsNotThePinnedOneIsRefusedAndNothingOfItIsKept() throws Exception {
        pin("0".repeat(128));

        Ended ended = mvnw(project, "verify");

        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.err()).contains("refused: apache-maven-9.9.9-bin.tar.gz has SHA-512 " + sha512(archive));
        assertThat(home.resolve(".m2/wrapper/dists")).isEmptyDirectory();
    }

    @Test
    void itBuildsThisProjectFromAnyFolderWithTheJdkThatFits() throws Exception {
        Ended ended = mvnw(temp, "-B", "verify");

        assertThat(ended.err()).contains("getting Maven 9.9.9, once");
        assertThat(ended.out()).isEqualTo("java " + jdk + "\nin " + project.toRealPath() + "\n-B\nverify\n");
    }

    @Test
    void theSecondTimeNothingIsFetched() throws Exception {
        mvnw(project, "verify");
        Files.delete(bin.resolve("mvn"));

        Ended ended = mvnw(project, "verify");

        assertThat(ended.status()).isZero();
        assertThat(ended.err()).isEmpty();
    }

    @Test
    void aJavaHomeThatDoesNotFitIsPassedOver() throws Exception {
        Path old = jdk("jdk-17", "17.0.15");

        Ended ended = run(project, Map.of("JAVA_HOME", old.toString()), "verify");

        // The newest fitting one of this machine: this build runs on it.
        assertThat(ended.out()).doesNotContain(old.toString()).contains("verify");
    }

    @Test
    void withoutAnyMavenItSaysWhatToInstall() throws Exception {
        Files.delete(bin.resolve("mvn"));

        Ended ended = mvnw(project, "verify");

        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.err())
                .contains("install any Maven 3")
                .contains("MVNW_REPOURL")
                .hasLineCount(2);
    }

    @Test
    void aRepositoryMayBeNamedInstead() throws Exception {
        Files.delete(bin.resolve("mvn"));
        Path folder = Files.createDirectories(temp.resolve("repo/org/apache/maven/apache-maven/9.9.9"));
        Files.copy(archive, folder.resolve(archive.getFileName()));

        Ended ended = run(
                project,
                Map.of(
                        "JAVA_HOME",
                        jdk.toString(),
                        "MVNW_REPOURL",
                        temp.resolve("repo").toUri().toString()),
                "verify");

        assertThat(ended.err()).isEqualTo("mvnw: getting Maven 9.9.9, once\n");
        assertThat(ended.status()).isZero();
    }

    private Ended mvnw(Path from, String... arguments) throws IOException, InterruptedException {
        return run(from, Map.of("JAVA_HOME", jdk.toString()), arguments);
    }

    private Ended run(Path from, Map<String, String> more, String... arguments)
            throws IOException, InterruptedException {
        Map<String, String> environment = new TreeMap<>(more);
        environment.put("HOME", home.toString());
        // No mvn but ours: the tools that the script needs, one by one.
        environment.put("PATH", bin.toString());
        for (String tool : List.of(
                "sed",
                "tr",
                "head",
                "dirname",
                "readlink",
                "sort",
                "tail",
                "mkdir",
                "mktemp",
                "rm",
                "cp",
                "sha512sum",
                "cut",
                "gzip",
                "tar",
                "mv",
                "curl",
                "cat")) {
            Path there = Path.of("/usr/bin", tool);
            if (!Files.exists(bin.resolve(tool)) && Files.exists(there)) {
                executable(bin.resolve(tool), "#!/bin/sh\nexec " + there + " \"$@\"\n");
            }
        }
        List<String> words =
                new ArrayList<>(List.of("/bin/sh", project.resolve("mvnw").toString()));
        words.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(words).directory(from.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        Path out = Files.createTempFile(temp, "out", "");
        Path err = Files.createTempFile(temp, "err", "");
        Process process =
                builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Ended(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    private record Ended(int status, String out, String err) {}

    private Path jdk(String name, String version) throws IOException {
        Path folder = Files.createDirectories(temp.resolve(name).resolve("bin"));
        executable(folder.resolve("java"), "#!/bin/sh\n");
        executable(folder.resolve("javac"), "#!/bin/sh\n");
        Files.writeString(temp.resolve(name).resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
        return temp.resolve(name);
    }

    private Path aMaven() throws IOException, InterruptedException {
        Path tree = temp.resolve("apache-maven-9.9.9");
        Files.createDirectories(tree.resolve("bin"));
        executable(
                tree.resolve("bin/mvn"),
                "#!/bin/sh\necho \"java $JAVA_HOME\"\necho \"in $(pwd -P)\"\nprintf '%s\\n' \"$@\"\n");
        Path file = temp.resolve("apache-maven-9.9.9-bin.tar.gz");
        Process tar = new ProcessBuilder("tar", "-C", temp.toString(), "-czf", file.toString(), "apache-maven-9.9.9")
                .inheritIO()
                .start();
        assertThat(tar.waitFor()).isZero();
        return file;
    }

    private void pin(String digest) throws IOException {
        Path folder = Files.createDirectories(project.resolve(".mvn/wrapper"));
        Files.writeString(
                folder.resolve("maven-wrapper.properties"),
                "mavenVersion=9.9.9\ndistributionSha512Sum=" + digest + "\njdkVersion=25\n");
    }

    private static void executable(Path file, String text) throws IOException {
        Files.write(file, text.getBytes(StandardCharsets.UTF_8));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static String sha512(Path file) throws IOException, NoSuchAlgorithmException {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-512").digest(Files.readAllBytes(file)));
    }
}
