package io.meshhost.machine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.machine.Files.Attributes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Another user races with us, or watches. */
@Tag("root")
@Timeout(120)
class FilesUnderAttackTest {
    private static final int NOBODY = 65534;

    @TempDir
    Path dir;

    private Files files;

    @BeforeEach
    void open() throws IOException {
        dir = dir.toRealPath();
        java.nio.file.Files.setAttribute(dir, "unix:mode", 0755);
        files = new Files(Path.of("/"), Probe.NONE);
    }

    @Test
    void aParentThatIsSwappedForALinkLeadsNowhereElse() throws Exception {
        Path home = dir.resolve("home");
        Path precious = dir.resolve("precious");
        Attributes theirs = new Attributes(OptionalInt.of(0755), OptionalInt.of(NOBODY), OptionalInt.of(NOBODY));
        files.makeDirectory(precious, Attributes.kept());
        files.makeDirectory(precious.resolve("sub"), Attributes.kept());
        files.write(precious.resolve("f"), "root's".getBytes(UTF_8), Attributes.mode(0600));
        files.makeDirectory(home, theirs);
        files.makeDirectory(home.resolve("a"), theirs);
        String swap = "cd " + home + "; ln -s ../precious link; echo go; while :; do mv -T a b; mv -T link a; mv -T a link;"
                + " mv -T b a; done 2>/dev/null";
        Process attacker = new ProcessBuilder("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "sh", "-c", swap)
                .start();
        int done = 0;
        int refused = 0;
        try {
            assertThat(attacker.getInputStream().read()).isEqualTo('g');
            for (int i = 0; i < 400; i++) {
                Attributes given = new Attributes(OptionalInt.of(0666), OptionalInt.of(NOBODY), OptionalInt.of(NOBODY));
                done += attempt(() -> files.write(home.resolve("a/f"), "declared".getBytes(UTF_8), given));
                done += attempt(() -> files.makeDirectory(home.resolve("a/made"), given));
                done += attempt(() -> files.change(home.resolve("a/f"), given));
                done += attempt(() -> files.deleteTree(home.resolve("a/sub")));
                done += attempt(() -> files.delete(home.resolve("a/f")));
                done += attempt(() -> files.deleteTree(home.resolve("a/made")));
                files.sync();
            }
            refused = 2400 - done;
        } finally {
            attacker.descendants().forEach(ProcessHandle::destroyForcibly);
            attacker.destroyForcibly().waitFor();
        }
        assertThat(done).isPositive();
        assertThat(refused).isPositive();
        assertThat(files.list(precious)).containsExactly(precious.resolve("f"), precious.resolve("sub"));
        Stat stat = files.stat(precious.resolve("f")).orElseThrow();
        assertThat(stat.uid()).isZero();
        assertThat(stat.mode()).isEqualTo(0600);
        assertThat(files.stat(precious.resolve("sub")).orElseThrow().uid()).isZero();
        assertThat(new String(files.read(precious.resolve("f"), 100), UTF_8)).isEqualTo("root's");
    }

    private static int attempt(Runnable act) {
        try {
            act.run();
            return 1;
        } catch (MachineFailure e) {
            return 0;
        }
    }

    @Test
    void theNameNeverShowsAnotherModeOrOwner() throws Exception { // FI-02
        Path file = dir.resolve("secret");
        Set<String> seen = ConcurrentHashMap.newKeySet();
        AtomicBoolean stop = new AtomicBoolean();
        Thread watcher = Thread.ofPlatform().start(() -> {
            while (!stop.get()) {
                Optional<Stat> stat = files.stat(file);
                stat.ifPresent(now -> seen.add(now.uid() + ":" + now.gid() + " " + Integer.toOctalString(now.mode())));
            }
        });
        Attributes wanted = new Attributes(OptionalInt.of(0640), OptionalInt.of(1234), OptionalInt.of(4321));
        for (int i = 0; i < 300; i++) {
            if (i % 3 == 0) {
                files.delete(file);
            }
            files.write(file, new byte[i], wanted);
        }
        stop.set(true);
        watcher.join();
        assertThat(seen).containsExactly("1234:4321 640");
    }
}
