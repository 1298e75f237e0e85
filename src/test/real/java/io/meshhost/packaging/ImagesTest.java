package io.meshhost.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.testing.Needs;
import io.meshhost.testing.Shell;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The images build on a local base, as far as they can be tried here: no base with a Java can be pulled, so the JVM image
 * is built and started on busybox, where it must say what it misses. In a machine that is thrown away, since container
 * engines leave firewall rules behind.
 */
@Tag("systemd")
class ImagesTest {
    private static final String BASE = "localhost/busybox:1";

    @TempDir
    Path temp;

    @Test
    void theJvmImageBuildsOnALocalBaseAndStartsItsScript() throws Exception {
        aLocalBase();
        Needs.that(Files.exists(Path.of("target/quarkus-app/quarkus-run.jar")), "target/quarkus-app (the package phase)");

        build("src/main/docker/Dockerfile.jvm", "localhost/mesh-host:jvm", Path.of("."));

        Shell.Ended ended = Shell.run(
                List.of("podman", "run", "--rm", "--network=none", "localhost/mesh-host:jvm", "version"));
        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.said()).contains("nox-mesh-host: no Java 25 found: install one");
    }

    @Test
    void theNativeImageBuildsOnALocalBaseWithWhatTheBuildLeavesInBin() throws Exception {
        aLocalBase();
        // The executable itself needs GraalVM, which is not here: a script stands where it will be.
        Path context = Files.createDirectories(temp.resolve("context/target/bin"));
        Path program = Files.writeString(context.resolve("nox-mesh-host"), "#!/bin/sh\necho \"started with $*\"\n");
        Shell.must("chmod", "755", program.toString());

        build("src/main/docker/Dockerfile.native", "localhost/mesh-host:native", temp.resolve("context"));

        assertThat(Shell.must("podman", "run", "--rm", "--network=none", "localhost/mesh-host:native"))
                .contains("started with run");
    }

    @Test
    void withoutABaseNothingIsGuessed() throws Exception {
        aLocalBase();

        Shell.Ended ended = Shell.run(List.of(
                "podman", "build", "--network=none", "-f", "src/main/docker/Dockerfile.jvm", "-t", "localhost/x:1", "."));

        assertThat(ended.status()).isNotZero();
    }

    private void aLocalBase() throws Exception {
        Needs.systemd();
        Needs.command("podman");
        Needs.command("busybox");
        Files.createDirectories(Path.of("/etc/containers/containers.conf.d"));
        Files.writeString(
                Path.of("/etc/containers/containers.conf.d/50-limits.conf"),
                "[containers]\ndefault_ulimits = [\"nofile=1024:20000\", \"nproc=4096:20000\"]\n");
        Path root = Files.createDirectories(temp.resolve("base/bin")).getParent();
        Shell.must(
                "sh",
                "-c",
                "cp \"$(command -v busybox)\" " + root + "/bin/busybox && cd " + root
                        + " && for a in sh ls stat cksum cut readlink env echo mkdir find; do ln -sf busybox bin/$a; done"
                        + " && tar -C . -c . | podman import - " + BASE);
    }

    private static void build(String file, String tag, Path context) throws Exception {
        Shell.must(
                "podman",
                "build",
                "--network=none",
                "--timestamp",
                "0",
                "--build-arg",
                "BASE=" + BASE,
                "-f",
                file,
                "-t",
                tag,
                context.toString());
    }
}
