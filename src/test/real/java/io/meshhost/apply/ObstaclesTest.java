package io.meshhost.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.apply.testing.Declared;
import io.meshhost.apply.testing.Rig;
import io.meshhost.declaration.Declaration;
import io.meshhost.machine.Commands.Command;
import io.meshhost.machine.SystemCommands;
import io.meshhost.testing.Needs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** FI-07, FI-08: one target that cannot be written fails alone, says why, and is done once the cause is gone. */
@Tag("root")
class ObstaclesTest {
    private static final Declaration BOTH = Declared.machine(
            Declared.file("m/hard", "/srv/hard/conf", "wanted"), Declared.file("m/easy", "/srv/easy", "wanted"));

    @TempDir
    Path base;

    private final SystemCommands commands = new SystemCommands();
    private final Deque<String[]> undo = new ArrayDeque<>();
    private Rig rig;
    private Path hard;

    @BeforeEach
    void machine() throws IOException {
        Needs.root();
        rig = new Rig(base.toRealPath(), "systemd", 0).impatient();
        rig.write("/srv/hard/conf", "before");
        hard = rig.path("/srv/hard/conf");
    }

    @AfterEach
    void undo() {
        mend();
        rig.close();
    }

    private void run(String... argv) {
        commands.mustRun(Command.of(argv));
    }

    private void mend() {
        while (!undo.isEmpty()) {
            run(undo.pop());
        }
    }

    private void assertFailsAloneUntilMended(String why, String during) throws IOException {
        Report report = rig.apply(BOTH);
        assertThat(Rig.lines(report)).containsExactly("m/hard failed", "m/easy created");
        assertThat(report.outcomes().getFirst().error()).startsWith("cannot write " + hard + ": ").contains(why);
        assertThat(rig.text("/srv/easy")).isEqualTo("wanted");
        assertThat(rig.text("/srv/hard/conf")).isEqualTo(during);
        assertThat(hard.getParent()).isDirectoryNotContaining(path -> path.getFileName().toString().startsWith(".conf"));
        mend();
        assertThat(Rig.lines(rig.apply(BOTH))).containsExactly("m/hard updated", "m/easy unchanged");
        assertThat(rig.text("/srv/hard/conf")).isEqualTo("wanted");
        assertThat(Rig.lines(rig.apply(BOTH))).containsExactly("m/hard unchanged", "m/easy unchanged");
    }

    @Test
    void anImmutableTarget() throws IOException {
        run("chattr", "+i", hard.toString());
        undo.push(new String[] {"chattr", "-i", hard.toString()});
        assertFailsAloneUntilMended("immutable", "before");
    }

    @Test
    void aReadOnlyFileSystem() throws IOException {
        String folder = String.valueOf(hard.getParent());
        run("mount", "--bind", "-o", "ro", folder, folder);
        undo.push(new String[] {"umount", folder});
        assertFailsAloneUntilMended("the file system is read-only", "before");
    }

    @Test
    void aFullDisk() throws IOException {
        String folder = String.valueOf(hard.getParent());
        run("mount", "-t", "tmpfs", "-o", "size=16k,mode=755", "none", folder);
        undo.push(new String[] {"umount", folder});
        rig.write("/srv/hard/conf", "small");
        run("dd", "if=/dev/zero", "of=" + folder + "/ballast", "bs=4k", "count=3", "status=none");
        assertFailsAloneUntilMended("the disk is full", "small");
    }

    @Test
    void aBusyMountPoint() throws IOException {
        rig.write("/srv/other", "mounted");
        run("mount", "--bind", rig.path("/srv/other").toString(), hard.toString());
        undo.push(new String[] {"umount", hard.toString()});
        assertFailsAloneUntilMended("mount point", "mounted");
    }
}
