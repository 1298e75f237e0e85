package io.meshhost.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.meshhost.control.Wire;
import io.meshhost.testing.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The daemon as a process of its own: signals, socket, ports, and what it reads. */
@Tag("packaged")
class RunningHostTest {
    @TempDir
    Path dir;

    private final java.util.ArrayList<HostProcess> hosts = new java.util.ArrayList<>();

    @BeforeEach
    void packaged() throws IOException {
        Needs.that(Files.exists(HostProcess.JAR), HostProcess.JAR + " (the package phase)");
        Files.createDirectories(dir.resolve("cwd"));
        declare("hello");
    }

    @AfterEach
    void end() {
        hosts.forEach(HostProcess::close);
    }

    private Path declaration() {
        return dir.resolve("r/etc/mesh-host/declaration.yaml");
    }

    private Path motd() {
        return dir.resolve("r/srv/motd");
    }

    private void declare(String content) throws IOException {
        Files.createDirectories(declaration().getParent());
        Files.writeString(declaration(), """
                modules:
                  - module: demo
                    version: "1"
                    slug: demo
                    resources:
                      - {id: motd, type: file, path: /srv/motd, content: "%s"}
                """.formatted(content));
    }

    private HostProcess start() throws IOException {
        HostProcess host = HostProcess.run(dir.resolve("r"), dir.resolve("cwd"));
        hosts.add(host);
        return host;
    }

    @Test
    void itConvergesAnswersMendsAndEndsWithZero() throws Exception {
        HostProcess host = start();
        host.awaitReconciles(1);
        assertThat(motd()).hasContent("hello");
        assertThat(host.status().path("state").asText()).isEqualTo("well");
        assertThat(mode(host.socket())).isEqualTo("rw-------");
        assertThat(mode(host.root.resolve("run/mesh-host"))).isEqualTo("rwx------");
        assertThat(listening(host.pid())).isEmpty();

        Files.writeString(motd(), "broken");
        long before = host.status().path("reconciles").asLong();
        host.signal("HUP");
        host.awaitReconciles(before + 1);
        assertThat(motd()).hasContent("hello");
        assertThat(host.status().path("drift").path("mended").path(0).path("id").asText())
                .isEqualTo("demo/motd");
        assertThat(host.log()).contains("demo/motd: drift mended");

        declare("changed");
        await().atMost(Duration.ofSeconds(30))
                .until(() -> Files.readString(motd()).equals("changed"));
        assertThat(host.command("history", "--root", host.root.toString(), "demo/motd")
                        .out())
                .contains("declaration changed")
                .contains("HUP");

        host.signal("TERM");
        host.signal("TERM");
        assertThat(host.awaitExit()).isZero();
        assertThat(host.socket()).doesNotExist();
        HostProcess.Said said = host.command("status", "--root", host.root.toString());
        assertThat(said.code()).isEqualTo(5);
        assertThat(said.out()).contains("the host is not running").contains("demo/motd");
    }

    @Test
    void aRefusedDeclarationChangesNothingAndIsToldWithItsPlace() throws Exception {
        HostProcess host = start();
        host.awaitReconciles(1);
        long before = host.status().path("reconciles").asLong();
        Files.writeString(declaration(), "modules: [{slug: demo, resources: [{id: motd, type: fle}]}]\n");
        host.awaitReconciles(before + 1);
        JsonNode status = host.status();
        assertThat(status.path("state").asText()).isEqualTo("refused");
        assertThat(status.path("declaration")
                        .path("faults")
                        .path(0)
                        .path("line")
                        .asInt())
                .isEqualTo(1);
        assertThat(motd()).hasContent("hello");
        HostProcess.Said said = host.command("apply", "--root", host.root.toString());
        assertThat(said.code()).isEqualTo(3);
        assertThat(said.err()).contains("declaration.yaml:1:").contains("nothing was touched");
    }

    @Test
    void whileItRunsTheHostAppliesAndOtherFilesAreRefused() throws Exception {
        HostProcess host = start();
        host.awaitReconciles(1);
        Files.writeString(motd(), "broken");
        HostProcess.Said own = host.command("apply", "--json", "--root", host.root.toString());
        assertThat(own.code()).isZero();
        assertThat(Wire.tree(own.out()).path("summary").path("updated").asInt()).isEqualTo(1);
        Path other = Files.writeString(dir.resolve("other.yaml"), "modules: []\n");
        HostProcess.Said refused =
                host.command("apply", "--trust-file", "--root", host.root.toString(), other.toString());
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains(declaration().toString());
        assertThat(motd()).hasContent("hello");
    }

    @Test
    void aSecondHostOnOneStateDirectoryNamesTheFirst() throws Exception {
        HostProcess host = start();
        host.awaitReconciles(1);
        HostProcess.Said second = host.command("run", "--root", host.root.toString(), "--trust-file");
        assertThat(second.code()).isEqualTo(1);
        assertThat(second.err()).contains("another host").contains(String.valueOf(host.pid()));
        assertThat(host.status().path("state").asText()).isEqualTo("well");
    }

    @Test
    void afterAKillItComesUpAgain() throws Exception {
        HostProcess first = start();
        first.awaitReconciles(1);
        first.signal("KILL");
        first.awaitExit();
        assertThat(first.socket()).exists();
        HostProcess second = start();
        second.awaitReconciles(1);
        assertThat(second.status().path("pid").asLong()).isEqualTo(second.pid());
        second.signal("INT");
        assertThat(second.awaitExit()).isZero();
    }

    @Test
    void nothingIsReadFromTheCurrentDirectory() throws Exception {
        String planted =
                "quarkus.http.host-enabled=true\nquarkus.log.level=TRACE\nmesh-host.reconcile-every=1\nMESH_HOST_RECONCILE_EVERY=1\nQUARKUS_LOG_LEVEL=TRACE\n";
        Files.writeString(dir.resolve("cwd/.env"), planted);
        Files.createDirectories(dir.resolve("cwd/config"));
        Files.writeString(dir.resolve("cwd/config/application.properties"), planted);
        Files.writeString(dir.resolve("cwd/application.properties"), planted);
        HostProcess host = start();
        host.awaitReconciles(1);
        assertThat(host.log()).doesNotContain("TRACE").doesNotContain("DEBUG");
        assertThat(listening(host.pid())).isEmpty();
    }

    @Test
    void aDeclarationThatAppearsLaterIsApplied() throws Exception {
        Files.delete(declaration());
        HostProcess host = start();
        host.awaitReconciles(1);
        assertThat(host.status().path("state").asText()).isEqualTo("refused");
        declare("late");
        await().atMost(Duration.ofSeconds(30)).until(() -> Files.exists(motd()));
        assertThat(motd()).hasContent("late");
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
    }

    /** Inodes of TCP sockets in state LISTEN (0A) that the process holds: proc(5), proc_net(5). */
    private static Set<String> listening(long pid) throws IOException {
        Set<String> listening = new TreeSet<>();
        for (String table : List.of("tcp", "tcp6")) {
            Path file = Path.of("/proc/" + pid + "/net/" + table);
            if (Files.exists(file)) {
                Files.readAllLines(file).stream()
                        .map(line -> line.trim().split("\\s+", -1))
                        .filter(words -> words.length > 9 && words[3].equals("0A"))
                        .forEach(words -> listening.add("socket:[" + words[9] + "]"));
            }
        }
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            Set<String> held = new TreeSet<>();
            descriptors.forEach(descriptor -> held.add(target(descriptor)));
            listening.retainAll(held);
        }
        return listening;
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException e) {
            return "gone";
        }
    }
}
