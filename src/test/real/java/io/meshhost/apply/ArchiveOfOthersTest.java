package io.meshhost.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.apply.testing.Declared;
import io.meshhost.apply.testing.Rig;
import io.meshhost.bundle.ContentStore;
import io.meshhost.declaration.Declaration;
import io.meshhost.declaration.Resource.ArchiveResource;
import io.meshhost.declaration.Resource.Bytes;
import io.meshhost.machine.SystemTicker;
import io.meshhost.testing.Needs;
import io.meshhost.testing.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real archives over a tree in which another user has directories in directories of his own. */
@Tag("root")
class ArchiveOfOthersTest {
    @TempDir
    Path base;

    private Path app;
    private Rig rig;

    @BeforeEach
    void machine() throws IOException {
        Needs.root();
        base = base.toRealPath();
        Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwxr-xr-x"));
        rig = new Rig(base.resolve("m"), "systemd", 0).impatient();
        app = rig.path("/app");
    }

    private Declaration archive(String version) throws IOException, InterruptedException {
        Path source = base.resolve("source" + version);
        Files.createDirectories(source.resolve("lib"));
        Files.writeString(source.resolve("lib/code"), version);
        Files.writeString(source.resolve("only" + version), version);
        Path file = base.resolve("app-" + version + ".tar.gz");
        Shell.must("tar", "-C", source.toString(), "-czf", file.toString(), ".");
        return Declared.machine(new ArchiveResource(
                Declared.head("x/app"), Path.of("/app"), 0, new Bytes.Given("app", file)));
    }

    private Report apply(Declaration declaration) {
        try (SystemTicker ticker = new SystemTicker()) {
            ContentStore bundles = new ContentStore(
                    base.resolve("bundles"), rig.machine().files(), ticker, Optional.empty());
            return new Engine(rig.machine(), bundles, rig.record(), Kinds.all(rig.machine(), (name, tree, sha256) -> {}))
                    .apply(declaration, Options.none(), Run.quiet("test"));
        }
    }

    /** Inode, owner, group and mode of each: what a program that has it open must find unchanged. */
    private List<Map<String, Object>> look(String... names) throws IOException {
        List<Map<String, Object>> seen = new ArrayList<>();
        for (String name : names) {
            seen.add(Files.readAttributes(
                    app.resolve(name), "unix:ino,uid,gid,mode,lastModifiedTime", LinkOption.NOFOLLOW_LINKS));
        }
        return seen;
    }

    @Test
    void theyGoOverToTheNewTreeAsTheyAre() throws Exception {
        assertThat(Rig.lines(apply(archive("1")))).containsExactly("x/app created");
        Files.createDirectory(app.resolve("data"));
        Files.setAttribute(app.resolve("data"), "unix:uid", 65534);
        Files.createDirectory(app.resolve("lib/plugins"));
        Files.setAttribute(app.resolve("lib/plugins"), "unix:uid", 65534);
        String script = "cd " + app + "; umask 077; mkdir -p data/deep/er lib/plugins/mine; echo x >data/deep/er/file;"
                + " echo y >lib/plugins/mine/file; chmod 2750 data/deep; ln -s /etc/passwd data/link; mkfifo data/fifo";
        Shell.must("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "sh", "-c", script);
        String[] names = {
            "data", "data/deep", "data/deep/er", "data/deep/er/file", "data/link", "data/fifo", "lib/plugins/mine/file"
        };
        List<Map<String, Object>> before = look(names);
        Declaration second = archive("2");
        Outcome outcome = apply(second).outcomes().getFirst();
        assertThat(outcome.error()).isNull();
        assertThat(outcome.detail()).isEqualTo("replaced; kept what others added: data/, lib/plugins/");
        assertThat(look(names)).isEqualTo(before);
        assertThat(Files.readString(app.resolve("data/deep/er/file"))).isEqualTo("x\n");
        assertThat(Files.readString(app.resolve("lib/code"))).isEqualTo("2");
        assertThat(app.resolve("only1")).doesNotExist();
        assertThat(app.resolveSibling(".app.mesh-old")).doesNotExist();
        assertThat(apply(second).outcomes().getFirst().action()).isEqualTo("unchanged");
        // JUnit warns of a link that leads out of the folder that it clears.
        Files.delete(app.resolve("data/link"));
        rig.close();
    }

    @Test
    void aMountInTheTreeIsNamedBeforeAnythingIsTouched() throws Exception {
        apply(archive("1"));
        Path data = app.resolve("data");
        Files.createDirectory(data);
        Shell.must("mount", "-t", "tmpfs", "-o", "size=64k,mode=755", "none", data.toString());
        try {
            assertThat(apply(archive("2")).outcomes().getFirst().error())
                    .isEqualTo("cannot replace " + app + ": " + data + " in it is a mount point; unmount it first");
            assertThat(Files.readString(app.resolve("lib/code"))).isEqualTo("1");
        } finally {
            Shell.must("umount", data.toString());
        }
        assertThat(apply(archive("2")).ok()).isTrue();
        rig.close();
    }
}
