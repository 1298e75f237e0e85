package io.meshhost.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.apply.testing.Declared;
import io.meshhost.apply.testing.Rig;
import io.meshhost.declaration.Declaration;
import io.meshhost.machine.Probe;
import io.meshhost.testing.Needs;
import io.meshhost.testing.Shell;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A declared file in a directory of somebody else's, who renames a secret of root's to its name while its mode is mended. */
@Tag("root")
class FileInOthersGroundTest {
    @TempDir
    Path base;

    @Test
    void theModeGoesToTheDeclaredContentAndToNothingElse() throws Exception {
        Needs.root();
        Path real = base.toRealPath();
        Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rwxr-xr-x"));
        Declaration declaration =
                Declared.machine(Declared.file("m/f", "/home/f", "declared", OptionalInt.of(0644)));
        try (Rig rig = new Rig(real, "systemd", 0).impatient()) {
            rig.write("/home/secret", "root's");
            Path home = rig.path("/home");
            Files.setPosixFilePermissions(home.resolve("secret"), PosixFilePermissions.fromString("rw-------"));
            Files.setAttribute(home, "unix:uid", 65534);
            rig.apply(declaration);
            Files.setPosixFilePermissions(home.resolve("f"), PosixFilePermissions.fromString("rw-------"));
            AtomicBoolean once = new AtomicBoolean();
            Probe attack = (number, operation, path) -> {
                if (operation.equals("mode") && !once.getAndSet(true)) {
                    asNobody("mv -T " + home + "/secret " + home + "/f");
                }
            };
            rig.restart(attack, Probe.NONE);
            assertThat(Rig.lines(rig.apply(declaration))).containsExactly("m/f updated");
            assertThat(once).isTrue();
            assertThat(rig.text("/home/f")).isEqualTo("declared");
            assertThat(Files.getPosixFilePermissions(home.resolve("f")))
                    .isEqualTo(PosixFilePermissions.fromString("rw-r--r--"));
            assertThat(rig.plan(declaration).pending()).isZero();
        }
    }

    /** Whom he could let read it by the mode of his file, or as whose owner he could read it himself. */
    @Test
    void aSecretTakesNeitherModeNorOwnerOverFromWhatSomebodyPutThere() throws Exception {
        Needs.root();
        Path real = base.toRealPath();
        Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (Rig rig = new Rig(real, "systemd", 0).impatient()) {
            Path home = Files.createDirectory(rig.path("/home"));
            Files.setAttribute(home, "unix:uid", 65534);
            asNobody("umask 0; touch " + home + "/key");

            assertThat(Rig.lines(rig.apply(Declared.machine(Declared.secret("m/key", "/home/key", "first")))))
                    .containsExactly("m/key updated");
            assertThat(Shell.must("stat", "-c", "%a %u %g", home + "/key")).isEqualTo("600 0 0\n");

            asNobody("umask 0; rm -f " + home + "/key; touch " + home + "/key");
            Declaration rotated = Declared.machine(Declared.secret("m/key", "/home/key", "second"));
            rig.apply(rotated);
            assertThat(Shell.must("stat", "-c", "%a %u %g", home + "/key")).isEqualTo("600 0 0\n");
            assertThat(rig.text("/home/key")).isEqualTo("second");
            assertThat(rig.plan(rotated).pending()).isZero();
        }
    }

    private static void asNobody(String script) {
        try {
            Shell.must("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "sh", "-c", script);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
