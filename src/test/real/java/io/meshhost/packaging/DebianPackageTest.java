package io.meshhost.packaging;

import static io.meshhost.packaging.Debian.LAUNCHER;
import static io.meshhost.packaging.Debian.UNIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.meshhost.testing.Needs;
import io.meshhost.testing.Shell;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Debian package's whole life on one machine. */
@Tag("systemd")
class DebianPackageTest {
    private static final Path STATE = Path.of("/var/lib/mesh-host");
    private static final Path SETTINGS = Path.of("/etc/mesh-host/host.env");
    private static final Path DECLARED = Path.of("/etc/greeting");

    @TempDir
    private Path folder;

    private Path deb = Path.of("");

    @BeforeEach
    void aMachineWithAJavaAndWithoutThePackage() throws Exception {
        Needs.systemd();
        Needs.root();
        Needs.command("dpkg");
        deb = Debian.built();
        Debian.aJava();
    }

    @AfterEach
    void withoutThePackage() throws Exception {
        Shell.must("dpkg", "-P", "nox-mesh-host");
        // What was declared, which the package leaves.
        Shell.run(List.of("systemctl", "disable", "--now", "hello.service"));
        Shell.run(List.of("userdel", "hello"));
        Shell.must(
                "rm",
                "-rf",
                "/etc/systemd/system/hello.service",
                "/srv/hello",
                "/srv/hello-tool",
                "/etc/mesh-host",
                DECLARED.toString(),
                "/var/lib/mesh",
                STATE.toString());
        assertThat(Debian.running()).isEmpty();
    }

    @Test
    void itInstallsStartsUpgradesAndIsRemovedAndPurged() throws Exception {
        Debian.install(deb);
        theHostIsUpAndWhatThePackageBroughtIsSound();
        whatIsDeclaredIsDone();
        anUpgradeKeepsStateAndSettingsAndBringsItsLauncher();
        aDeliveredLauncherIsNotTouched();
        removingEndsTheHostAndKeepsItsState();
        purgingTakesAllButWhatWasDeclared();
    }

    private static void theHostIsUpAndWhatThePackageBroughtIsSound() throws Exception {
        Debian.awaitActive();
        assertThat(Debian.property("UnitFileState")).isEqualTo("enabled");
        assertThat(Debian.property("NRestarts")).isEqualTo("0");
        assertThat(Files.readSymbolicLink(Path.of("/proc", Debian.property("MainPID"), "exe")))
                .as("every script on the way has become the next program")
                .hasFileName("java");
        assertThat(Debian.property("StatusText")).isNotEmpty();
        Shell.Ended verified = Shell.run(List.of("systemd-analyze", "verify", "--recursive-errors=no", UNIT));
        assertThat(verified).isEqualTo(new Shell.Ended(0, ""));
        assertThat(Files.getPosixFilePermissions(Path.of("/run/mesh-host")))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
        assertThat(LAUNCHER).hasSameTextualContentAs(Path.of("packaging/nox-mesh-host-launch")).isExecutable();
        assertThat(Path.of("/usr/share/man/man1/nox-mesh-host-status.1.gz")).isNotEmptyFile();
        assertThat(Shell.must("bash", "-c", ". /usr/share/bash-completion/completions/nox-mesh-host && complete -p"))
                .contains("nox-mesh-host");
    }

    /** Of every kind: the unit's own limits must be in the way of none. */
    private void whatIsDeclaredIsDone() throws Exception {
        Path serve = Files.writeString(folder.resolve("serve"), "#!/bin/sh\n[ -n \"$TOKEN\" ] && exec sleep infinity\n");
        Files.setPosixFilePermissions(serve, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path bundle = folder.resolve("hello.tar");
        Shell.must("tar", "-C", folder.toString(), "-cf", bundle.toString(), "serve");
        String digest = Shell.must("sha256sum", bundle.toString()).split(" ", 2)[0];
        Files.writeString(
                Path.of("/etc/mesh-host/declaration.yaml"),
                """
                module: hello
                version: "1"
                slug: hello
                resources:
                  - {id: greeting, type: file, path: /etc/greeting, content: hello}
                  - {id: account, type: user, name: hello, system: true}
                  - {id: home, type: directory, path: /srv/hello, owner: hello, mode: "2750", after: [account]}
                  - {id: tool, type: file, path: /srv/hello-tool, owner: hello, mode: "4755", content: "", after: [account]}
                  - {id: daemon, type: process, name: hello, user: hello, run: [serve], sandbox: strict,
                     env: {TOKEN: {secret: x}}, source: %s, digest: %s, after: [account]}
                """
                        .formatted(bundle, digest));
        await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> {
            Shell.Ended status = Shell.run(host("status"));
            assertThat(status.said()).contains(" is well");
            assertThat(DECLARED).hasContent("hello");
        });
        assertThat(Shell.must("stat", "-c", "%U %a", "/srv/hello", "/srv/hello-tool"))
                .isEqualTo("hello 2750\nhello 4755\n");
        assertThat(Shell.must("systemctl", "is-active", "hello.service")).isEqualTo("active\n");
    }

    /** Without a cache of this user's own, which would be made in the background and outlive the call. */
    private static List<String> host(String command) {
        return List.of("env", "MESH_HOST_AOT=off", "nox-mesh-host", command);
    }

    private void anUpgradeKeepsStateAndSettingsAndBringsItsLauncher() throws Exception {
        Files.writeString(SETTINGS, "MESH_HOST_RECONCILE_EVERY=500\n", StandardOpenOption.APPEND);
        String settings = Files.readString(SETTINGS);
        String before = Debian.property("MainPID");
        long started = System.nanoTime();

        Debian.install(Debian.later(folder, "9.1"));

        assertThat(Duration.ofNanos(System.nanoTime() - started))
                .as("nothing waits for the first reconcile")
                .isLessThan(Duration.ofSeconds(60));
        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(Debian.property("MainPID")).isNotIn(before, "0"));
        Debian.awaitActive();
        assertThat(SETTINGS).hasContent(settings);
        assertThat(LAUNCHER).content().endsWith("# 9.1\n");
        assertThat(Shell.must(host("history").toArray(String[]::new))).contains("hello/greeting");
    }

    private void aDeliveredLauncherIsNotTouched() throws Exception {
        Files.writeString(LAUNCHER, Files.readString(LAUNCHER) + "# delivered\n");

        Debian.install(Debian.later(folder, "9.2"));

        assertThat(LAUNCHER).content().endsWith("# 9.1\n# delivered\n");
        assertThat(LAUNCHER.resolveSibling(".replace-launch")).doesNotExist();
        Debian.awaitActive();
    }

    private static void removingEndsTheHostAndKeepsItsState() throws Exception {
        Shell.must("dpkg", "-r", "nox-mesh-host");

        assertThat(Debian.running()).isEmpty();
        assertThat(Debian.property("ActiveState")).isEqualTo("inactive");
        assertThat(STATE.resolve("record.db")).isNotEmptyFile();
        assertThat(LAUNCHER).exists();
        assertThat(SETTINGS).exists();
        assertThat(Path.of("/usr/bin/nox-mesh-host")).doesNotExist();
    }

    private static void purgingTakesAllButWhatWasDeclared() throws Exception {
        Path version = Files.createDirectories(Path.of("/usr/lib/nox-mesh-host/versions/1.2 of may"));

        String said = Shell.must("dpkg", "-P", "nox-mesh-host");

        assertThat(said)
                .contains("What was declared stays: files, accounts and units, what is under /var/lib/mesh, their"
                        + " secrets in /var/lib/mesh-host/secrets, and the declaration in /etc/mesh-host.");
        assertThat(STATE).isDirectoryContaining("glob:**/secrets");
        assertThat(STATE.toFile().list()).containsExactly("secrets");
        assertThat(version.getParent().getParent()).doesNotExist();
        assertThat(Path.of("/var/cache/nox-mesh-host")).doesNotExist();
        assertThat(List.of(DECLARED, Path.of("/srv/hello-tool"), Path.of("/etc/mesh-host/declaration.yaml")))
                .allSatisfy(kept -> assertThat(kept).exists());
        // It still runs, and has all that it needs to be started again.
        assertThat(Shell.must("systemctl", "is-active", "hello.service")).isEqualTo("active\n");
        Shell.must("systemctl", "restart", "hello.service");
        assertThat(SETTINGS).doesNotExist();
    }

    @Test
    void withoutAJavaTheServiceIsLeftOffUntilOneIsInstalled() throws Exception {
        String said = Shell.must(
                "unshare",
                "--mount",
                "env",
                "-u",
                "JAVA_HOME",
                "HOME=/nonexistent",
                "sh",
                "-c",
                "mount -t tmpfs none /usr/lib/jvm && dpkg --force-unsafe-io -i \"$1\"",
                "sh",
                deb.toString());

        assertThat(said)
                .containsOnlyOnce("nox-mesh-host: nox-mesh-host.service is left off, since no Java 25 was found; install"
                        + " java25-runtime-headless, and it starts.");
        assertThat(Debian.property("ActiveState")).isEqualTo("inactive");
        assertThat(Shell.run(List.of("systemctl", "is-enabled", UNIT)).said()).isEqualTo("disabled\n");

        // As dpkg does when a package puts one there.
        Shell.must("dpkg-trigger", "--by-package=base-files", "/usr/lib/jvm");
        Shell.must("dpkg", "--triggers-only", "-a");

        Debian.awaitActive();
        assertThat(Debian.property("UnitFileState")).isEqualTo("enabled");
        Shell.must("systemctl", "disable", "--now", UNIT);
        Shell.must("dpkg-trigger", "--by-package=base-files", "/usr/lib/jvm");
        Shell.must("dpkg", "--triggers-only", "-a");
        assertThat(Debian.property("ActiveState")).as("what the operator switched off").isEqualTo("inactive");
    }
}
