package io.meshhost.machine.linux;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpawnerTest {
    @TempDir
    Path dir;

    @Test
    void tellsTheStatusAsAShellDoes() throws Exception {
        assertThat(run("exit 3")).isEqualTo(3);
        assertThat(run("exit 0")).isZero();
        assertThat(run("kill -KILL $$")).isEqualTo(137);
        assertThat(run("kill -TERM $$")).isEqualTo(143);
    }

    @Test
    void givesAnEmptyInputNoOtherDescriptorAndNoBlockedSignal() throws Exception {
        try (FileChannel ours =
                FileChannel.open(Files.writeString(dir.resolve("ours"), "x"), StandardOpenOption.READ)) {
            run("cat > in; ls -l /proc/self/fd > fds; grep SigBlk /proc/self/status > blocked");
            assertThat(ours.isOpen()).isTrue();
        }
        assertThat(dir.resolve("in")).isEmptyFile();
        assertThat(Files.readString(dir.resolve("fds"))).doesNotContain("/ours");
        assertThat(Files.readString(dir.resolve("blocked"))).contains("0000000000000000");
    }

    @Test
    void changesTheEnvironmentOnlyWhereItIsTold() throws Exception {
        String path = System.getenv("PATH");
        run("env -0 > env", Map.of("ADDED", "wörter\nzwei", "HOME", "/elsewhere"), Set.of("LC_ALL"));
        assertThat(Files.readString(dir.resolve("env"), UTF_8).split("\0"))
                .contains("ADDED=wörter\nzwei", "HOME=/elsewhere", "PATH=" + path)
                .doesNotHaveDuplicates()
                .noneMatch(line -> line.startsWith("LC_ALL="));
    }

    @Test
    void startsTheSameAgainAndAnotherBetween() throws Exception {
        Spawner spawner = new Spawner();
        for (String value : List.of("1", "1", "2", "1")) {
            Child child = start(
                    spawner,
                    List.of(
                            "/bin/sh",
                            "-c",
                            "echo $WHICH >> \"$0\"",
                            dir.resolve("log").toString()),
                    Map.of("WHICH", value),
                    Set.of());
            assertThat(end(child)).isZero();
        }
        assertThat(dir.resolve("log")).hasContent("1\n1\n2\n1\n");
    }

    @Test
    void rehearsingStartsNothingAndChangesNothing() throws Exception {
        Spawner spawner = new Spawner();
        List<String> argv =
                List.of("/bin/sh", "-c", "echo x >> \"$0\"", dir.resolve("log").toString());
        spawner.rehearse(spawner.prepare(argv, Map.of("A", "1"), Set.of()));
        assertThat(dir.resolve("log")).doesNotExist();
        assertThat(end(start(spawner, argv, Map.of(), Set.of()))).isZero();
        assertThat(dir.resolve("log")).hasContent("x\n");
    }

    @Test
    void aScriptWithoutAnInterpreterRunsInTheShell() throws Exception {
        Path script = program("exit 7\n");
        assertThat(end(start(new Spawner(), List.of(script.toString()), Map.of(), Set.of())))
                .isEqualTo(7);
    }

    @Test
    void saysWhyNothingCouldBeStarted() throws Exception {
        Spawner spawner = new Spawner();
        assertThatThrownBy(() -> start(spawner, List.of(dir.resolve("none").toString()), Map.of(), Set.of()))
                .isInstanceOf(IOException.class)
                .hasMessage("No such file or directory");
        Path plain = Files.writeString(dir.resolve("plain"), "x");
        assertThatThrownBy(() -> start(spawner, List.of(plain.toString()), Map.of(), Set.of()))
                .isInstanceOf(IOException.class)
                .hasMessage("Permission denied");
        Path lost = program("#!/no/such/interpreter\n");
        assertThatThrownBy(() -> start(spawner, List.of(lost.toString()), Map.of(), Set.of()))
                .isInstanceOf(IOException.class)
                .hasMessage("No such file or directory");
    }

    @Test
    void oneThatHasEndedIsToldNothing() throws Exception {
        Child child = start(new Spawner(), List.of("/bin/sh", "-c", "exit 0"), Map.of(), Set.of());
        assertThat(end(child)).isZero();
        assertThat(child.descriptor()).isNegative();
        assertThat(Path.of("/proc", Integer.toString(child.pid()))).doesNotExist();
        child.signal(9);
        assertThat(child.ended()).hasValue(0);
    }

    private Path program(String text) throws IOException {
        Path file = Files.writeString(dir.resolve("program"), text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private int run(String script) throws Exception {
        return run(script, Map.of(), Set.of());
    }

    private int run(String script, Map<String, String> set, Set<String> unset) throws Exception {
        return end(start(new Spawner(), List.of("/bin/sh", "-c", "cd \"$0\"; " + script, dir.toString()), set, unset));
    }

    private static Child start(Spawner spawner, List<String> argv, Map<String, String> set, Set<String> unset)
            throws IOException {
        return spawner.start(spawner.prepare(argv, set, unset));
    }

    private static int end(Child child) throws IOException {
        try (child;
                Sleeper sleeper = new Sleeper()) {
            OptionalInt status = child.ended();
            while (status.isEmpty()) {
                sleeper.sleep(OptionalLong.empty(), child.descriptor());
                status = child.ended();
            }
            return status.getAsInt();
        }
    }
}
