package io.meshhost.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.meshhost.testing.Needs;
import io.meshhost.testing.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The package that -Pdeb built, on a machine whose PID 1 is systemd. */
final class Debian {
    static final String UNIT = "nox-mesh-host.service";
    static final Path LAUNCHER = Path.of("/usr/lib/nox-mesh-host/launch");

    private Debian() {}

    /** The package as it was built. */
    static Path built() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("target"))) {
            List<Path> packages = files.filter(
                            file -> file.getFileName().toString().matches("nox-mesh-host_.*\\.deb"))
                    .toList();
            Needs.that(packages.size() == 1, "one target/nox-mesh-host_*.deb (./mvnw package -Pdeb)");
            return packages.getFirst();
        }
    }

    /** Where the unit finds one, whatever the place of the Java that runs this. */
    static void aJava() throws IOException {
        Path home = Files.createDirectories(Path.of("/usr/lib/jvm")).resolve("of-this-test");
        if (!Files.exists(home)) {
            Files.createSymbolicLink(home, Path.of(System.getProperty("java.home")));
        }
    }

    /** A later build: another version, and another launcher. */
    static Path later(Path folder, String version) throws IOException, InterruptedException {
        Path tree = folder.resolve(version);
        Shell.must("dpkg-deb", "--raw-extract", built().toString(), tree.toString());
        Shell.must("sed", "-i", "s/^Version:.*/Version: " + version + "/", tree.resolve("DEBIAN/control").toString());
        Path launcher = tree.resolve("usr/share/nox-mesh-host/launch");
        Files.writeString(launcher, Files.readString(launcher) + "# " + version + "\n");
        Path made = folder.resolve("nox-mesh-host_" + version + "_all.deb");
        Shell.must("dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "-b", tree.toString(), made.toString());
        return made;
    }

    static String install(Path deb) throws IOException, InterruptedException {
        return Shell.must("dpkg", "--force-unsafe-io", "-i", deb.toString());
    }

    static String property(String name) throws IOException, InterruptedException {
        return Shell.must("systemctl", "show", "--value", "-p", name, UNIT).strip();
    }

    static void awaitActive() {
        await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> assertThat(property("ActiveState"))
                .as(() -> journal())
                .isEqualTo("active"));
    }

    static String journal() {
        try {
            return Shell.run(List.of("journalctl", "--no-pager", "-n", "50", "-u", UNIT)).said();
        } catch (IOException e) {
            return e.toString();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return e.toString();
        }
    }

    /** What runs of the host: supervisor, daemon, or the making of a cache. */
    static List<String> running() {
        return ProcessHandle.allProcesses()
                .flatMap(process -> process.info().commandLine().stream())
                .filter(line -> line.contains("/nox-mesh-host/quarkus-app/"))
                .toList();
    }
}
