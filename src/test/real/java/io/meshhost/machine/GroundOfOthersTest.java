package io.meshhost.machine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhost.machine.Commands.Command;
import io.meshhost.machine.Files.Attributes;
import java.io.IOException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A directory of somebody else's, in which he renames what is root's to a name of which he will be given the owner. */
@Tag("root")
@Timeout(120)
class GroundOfOthersTest {
    private static final int NOBODY = 65534;
    private static final Attributes THEIRS =
            new Attributes(OptionalInt.of(0755), OptionalInt.of(NOBODY), OptionalInt.of(NOBODY));
    /** Both exchange their names, as fast as a shell can. */
    private static final String SWAP = "mv -T d x; mv -T private d";

    @TempDir
    Path dir;

    private final SystemCommands commands = new SystemCommands();
    private Files files;
    private Path home;
    private Path declared;
    private Path precious;

    @BeforeEach
    void open() throws IOException {
        dir = dir.toRealPath();
        java.nio.file.Files.setAttribute(dir, "unix:mode", 0755);
        files = new Files(Path.of("/"), Probe.NONE);
        home = dir.resolve("home");
        declared = home.resolve("d");
        precious = home.resolve("private");
        files.makeDirectory(home, THEIRS);
        files.makeDirectory(declared, THEIRS);
        files.makeDirectory(precious, Attributes.mode(0700));
        files.write(precious.resolve("key"), "root's".getBytes(UTF_8), Attributes.mode(0600));
    }

    private void asNobody(String script) {
        commands.mustRun(Command.of(
                "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "sh", "-c", "cd " + home + "; " + script));
    }

    private List<Integer> seen(Path path) {
        Stat stat = files.stat(path).orElseThrow();
        return List.of(stat.uid(), stat.gid(), stat.mode());
    }

    /** As his files are when he swaps them right before an operation. */
    private Files swappedBefore(String script, String... operations) {
        AtomicBoolean once = new AtomicBoolean();
        return new Files(Path.of("/"), (number, operation, path) -> {
            if (List.of(operations).contains(operation) && !once.getAndSet(true)) {
                asNobody(script);
            }
        });
    }

    @Test
    void whatHeMovesThereAfterTheLookIsNotGivenToHim() {
        files.change(declared, new Attributes(OptionalInt.of(0700), OptionalInt.of(0), OptionalInt.of(0)));
        swappedBefore(SWAP, "owner", "group", "mode").change(declared, THEIRS);
        assertThat(seen(declared)).as("root's, at the name now").isEqualTo(List.of(0, 0, 0700));
        assertThat(seen(home.resolve("x"))).as("the one that was meant").isEqualTo(List.of(NOBODY, NOBODY, 0755));
        assertThatThrownBy(() -> asNobody("cat d/key")).hasMessageContaining("denied");
    }

    @Test
    void whatHeMovedThereBeforeIsNotGivenToHimEither() {
        asNobody(SWAP);
        assertThatThrownBy(() -> files.change(declared, THEIRS))
                .hasMessage("cannot change " + declared + ": others may put another directory at its name, and this one "
                        + "is not empty; give it its owner and mode by hand, or empty it");
        assertThatThrownBy(() -> files.change(declared, Attributes.mode(0755))).hasMessageContaining("not empty");
        assertThat(seen(declared)).isEqualTo(List.of(0, 0, 0700));
    }

    @Test
    void aFilesOwnerAndModeAreNotSetByName() {
        Path file = home.resolve("f");
        files.write(file, "declared".getBytes(UTF_8), Attributes.mode(0600));
        assertThat(files.fixed(file)).isFalse();
        assertThat(files.fixed(dir.resolve("f"))).isTrue();
        assertThatThrownBy(() -> files.change(file, THEIRS)).hasMessageContaining("it is no directory; write it anew");
        assertThat(seen(file)).isEqualTo(List.of(0, 0, 0600));
        files.write(file, "declared".getBytes(UTF_8), THEIRS);
        assertThat(seen(file)).isEqualTo(List.of(NOBODY, NOBODY, 0755));
    }

    @Test
    void aFifoOrALinkPutThereAtTheLastMomentIsNotOpened() throws IOException {
        asNobody("mkfifo fifo; ln -s private link");
        try (SecureDirectoryStream<Path> open = Trees.open(home)) {
            assertThatThrownBy(() -> Descent.enter(open, Path.of("fifo"))).isInstanceOf(NotDirectoryException.class);
            assertThatThrownBy(() -> Descent.enter(open, Path.of("link"))).isInstanceOf(Refusal.class);
            try (SecureDirectoryStream<Path> inside = Descent.enter(open, Path.of("private"))) {
                assertThat(inside.iterator().next()).hasFileName("key");
            }
        }
    }

    @Test
    void driftIsMendedThereAndANewDirectoryIsMadeWithItsOwner() {
        asNobody("chmod 700 d");
        files.change(declared, THEIRS);
        assertThat(seen(declared)).isEqualTo(List.of(NOBODY, NOBODY, 0755));
        files.change(declared, new Attributes(OptionalInt.of(0750), OptionalInt.of(0), OptionalInt.of(0)));
        assertThat(seen(declared)).isEqualTo(List.of(0, 0, 0750));
        files.makeDirectory(home.resolve("new"), THEIRS);
        assertThat(seen(home.resolve("new"))).isEqualTo(List.of(NOBODY, NOBODY, 0755));
    }

    @Test
    void howeverFastHeRenamesHeGetsNothing() throws Exception {
        String swap = "echo go; while :; do mv -T d x; mv -T private d; mv -T d private; mv -T x d; chmod 700 d; done";
        Process attacker = new ProcessBuilder(
                        "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "sh", "-c", "cd " + home + "; " + swap)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        int mended = 0;
        try {
            assertThat(attacker.getInputStream().read()).isEqualTo('g');
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(6);
            while (System.nanoTime() < end) {
                try {
                    files.change(declared, THEIRS);
                    mended++;
                } catch (MachineFailure refused) {
                    assertThat(refused.sentence()).startsWith("cannot change " + declared);
                }
            }
        } finally {
            attacker.descendants().forEach(ProcessHandle::destroyForcibly);
            attacker.destroyForcibly().waitFor();
        }
        assertThat(mended).isPositive();
        Path there = files.stat(precious).filter(stat -> stat.uid() == 0).isPresent() ? precious : declared;
        assertThat(seen(there)).isEqualTo(List.of(0, 0, 0700));
        assertThat(new String(files.read(there.resolve("key"), 100), UTF_8)).isEqualTo("root's");
    }
}
