package io.meshhost.machine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhost.testing.Needs;
import io.meshhost.testing.Shell;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What root reads for somebody is what lies there, and nothing that he only points at. */
@Tag("root")
@Timeout(60)
class UntrustedFileTest {
    @TempDir
    private Path temp;

    private Path ours;
    private Path theirs;

    @BeforeEach
    void aSecretAndAHome() throws Exception {
        Needs.root();
        Needs.command("setpriv");
        Path dir = temp.toRealPath();
        Shell.must("chmod", "755", dir.toString());
        ours = Files.createDirectory(dir.resolve("ours"));
        Files.writeString(ours.resolve("env"), "KEY=root's");
        Shell.must("chmod", "600", ours.resolve("env").toString());
        theirs = Files.createDirectory(dir.resolve("theirs"));
        Files.setAttribute(theirs, "unix:uid", 65534);
    }

    private void asNobody(String script) throws Exception {
        Shell.must(
                "setpriv",
                "--reuid=65534",
                "--regid=65534",
                "--clear-groups",
                "sh",
                "-c",
                "cd " + theirs + "; ours=" + ours + "; " + script);
    }

    private static String read(Path file) {
        return new String(UntrustedFile.read(file, 100), UTF_8);
    }

    @Test
    void aFileOfTheirsIsRead() throws Exception {
        asNobody("mkdir deep; echo A=b > deep/env");
        assertThat(read(theirs.resolve("deep/env"))).isEqualTo("A=b\n");
    }

    @Test
    void aLinkOfTheirsIsNotFollowedAtTheNameNorOnTheWay() throws Exception {
        asNobody("ln -s $ours/env env; ln -s $ours way");
        assertThatThrownBy(() -> read(theirs.resolve("env")))
                .hasMessageStartingWith("cannot read " + theirs.resolve("env") + ": the link ")
                .hasMessageContaining("somebody other than root owns it or may replace it");
        assertThatThrownBy(() -> read(theirs.resolve("way/env")))
                .isInstanceOf(MachineFailure.class)
                .hasMessageContaining("on the way is not followed");
    }

    @Test
    void aLinkOfRootsIsFollowedAlsoToThem() throws Exception {
        asNobody("echo A=b > env; ln -s $ours/env back");
        Files.createSymbolicLink(ours.resolve("link"), Path.of("../theirs/env"));
        Files.createSymbolicLink(ours.resolve("way"), theirs);
        assertThat(read(ours.resolve("link"))).isEqualTo("A=b\n");
        assertThat(read(ours.resolve("way/env"))).isEqualTo("A=b\n");
        assertThatThrownBy(() -> read(ours.resolve("way/back"))).hasMessageContaining("is not followed");
    }

    @Test
    void whatIsNoFileOrTooLargeOrAbsentOrInACircleIsRefused() throws Exception {
        asNobody("mkfifo pipe; head -c 101 /dev/zero > large");
        Files.createSymbolicLink(ours.resolve("circle"), Path.of("circle"));
        assertThatThrownBy(() -> read(theirs.resolve("pipe"))).hasMessageEndingWith("it is not a regular file");
        assertThatThrownBy(() -> read(theirs.resolve("large"))).hasMessageEndingWith("it is larger than 100 bytes");
        assertThatThrownBy(() -> read(theirs.resolve("none"))).hasMessageEndingWith("it does not exist");
        assertThatThrownBy(() -> read(ours.resolve("circle"))).hasMessageContaining("in a circle");
    }
}
