package io.meshhost.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.machine.Commands.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** FI-05 as the kernel sees it. */
@Tag("root")
class SystemCallOrderTest {
    private static final Pattern CALL = Pattern.compile("(fsync|rename|renameat|renameat2|write|fchmod|chmod|chown|lchown)\\((.*)");

    @TempDir
    Path dir;

    @Test
    void bytesAndModeAreOnTheDiskBeforeTheNameAndTheDirectoryAfter() throws IOException {
        dir = dir.toRealPath();
        Path trace = dir.resolve("trace");
        Path target = dir.resolve("sub/f");
        java.nio.file.Files.createDirectory(dir.resolve("sub"));
        String jvm = ProcessHandle.current().info().command().orElseThrow();
        List<String> argv = List.of(
                "strace", "-f", "-y", "-o", trace.toString(),
                "-e", "trace=fsync,rename,renameat,renameat2,write,fchmod,chmod,chown,lchown",
                jvm, "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
                WriteOnce.class.getName(), target.toString());
        Optional<Path> here = Optional.of(Path.of(System.getProperty("user.dir")));
        new SystemCommands().mustRun(new Command(argv, Map.of(), here, Duration.ofMinutes(2), Optional.empty()));
        List<String> calls = java.nio.file.Files.readAllLines(trace).stream()
                .filter(line -> line.contains(dir + "/sub"))
                .map(SystemCallOrderTest::call)
                .toList();
        assertThat(calls)
                .containsExactly(
                        "write new", "chmod new", "fsync new", "rename",
                        // The second write replaces: in a room of its own, closed to others before the content arrives.
                        "chmod new", "chmod new", "write new", "fsync new", "rename", "fsync sub");
    }

    private static String call(String line) {
        Matcher matcher = CALL.matcher(line);
        assertThat(matcher.find()).as(line).isTrue();
        String name = matcher.group(1).replace("fchmod", "chmod").replaceAll("rename.*", "rename");
        if (name.equals("rename")) {
            return name;
        }
        return name + (matcher.group(2).contains("mesh-new") ? " new" : " sub");
    }
}
