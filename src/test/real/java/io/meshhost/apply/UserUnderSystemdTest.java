package io.meshhost.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.apply.testing.Declared;
import io.meshhost.apply.testing.RealMachine;
import io.meshhost.apply.testing.Rig;
import io.meshhost.declaration.Declaration;
import io.meshhost.declaration.Resource.UserResource;
import io.meshhost.testing.Needs;
import io.meshhost.testing.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Accounts by the machine's own useradd(8), in a machine that is thrown away. */
@Tag("systemd")
class UserUnderSystemdTest {
    @TempDir
    Path base;

    private RealMachine machine;

    @BeforeEach
    void machine() {
        Needs.systemd();
        machine = new RealMachine(base);
    }

    @AfterEach
    void close() {
        machine.close();
    }

    private static Declaration user(String name, String... groups) {
        return Declared.machine(new UserResource(
                Declared.head("m/user"),
                name,
                OptionalInt.empty(),
                Optional.of(Path.of("/home/" + name)),
                Optional.of(Path.of("/bin/bash")),
                List.of(groups),
                false));
    }

    private static String id(String name) throws IOException, InterruptedException {
        return Shell.must("id", "-nG", name).strip();
    }

    @Test
    void anAccountIsMadeChangedAndDeletedAndItsHomeStays() throws IOException, InterruptedException {
        assertThat(Rig.lines(machine.apply(user("mhtmade", "audio")))).containsExactly("m/user created");
        assertThat(Shell.must("getent", "passwd", "mhtmade")).endsWith(":/home/mhtmade:/bin/bash\n");
        assertThat(id("mhtmade").split(" ")).containsExactlyInAnyOrder("mhtmade", "audio");
        assertThat(Rig.lines(machine.apply(user("mhtmade", "audio")))).containsExactly("m/user unchanged");

        assertThat(Rig.lines(machine.apply(user("mhtmade", "video", "games")))).containsExactly("m/user updated");
        assertThat(id("mhtmade").split(" ")).containsExactlyInAnyOrder("mhtmade", "video", "games");
        assertThat(Rig.lines(machine.apply(user("mhtmade", "video", "games")))).containsExactly("m/user unchanged");

        Path home = Files.createDirectories(Path.of("/home/mhtmade"));
        Files.writeString(home.resolve("letter"), "kept");
        assertThat(Rig.lines(machine.apply(Declared.machine()))).containsExactly("m/user removed");
        assertThat(Shell.run(List.of("getent", "passwd", "mhtmade")).status()).isEqualTo(2);
        assertThat(home.resolve("letter")).hasContent("kept");
    }

    @Test
    void anAccountThatWasThereIsLeft() throws IOException, InterruptedException {
        Shell.must("useradd", "-m", "-d", "/home/mhtfound", "-s", "/bin/bash", "mhtfound");
        assertThat(Rig.lines(machine.apply(user("mhtfound")))).containsExactly("m/user unchanged");
        assertThat(Rig.lines(machine.apply(Declared.machine()))).containsExactly("m/user forgotten");
        assertThat(Shell.must("getent", "passwd", "mhtfound")).startsWith("mhtfound:");
    }
}
