package io.meshhost.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.machine.Files;
import io.meshhost.machine.Probe;
import io.meshhost.machine.Progress;
import io.meshhost.machine.testing.PowerCut;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fetching and unpacking, cut before each of their operations in turn. */
class BundlePowerCutTest {
    @TempDir
    Path dir;

    private Bench bench;
    private Map<String, String> source;

    @BeforeEach
    void aBundle() throws IOException {
        dir = dir.toRealPath();
        bench = new Bench(dir);
        bench.sh(
                "umask 022; mkdir -p src/bin src/closed; printf run > src/bin/app; chmod 755 src/bin/app; ln src/bin/app"
                        + " src/hard; ln -s bin/app src/link; head -c 300000 /dev/urandom > src/closed/random;"
                        + " chmod 600 src/closed/random; chmod 700 src/closed");
        source = Bench.tree(dir.resolve("src"));
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private ContentStore store(Probe probe) {
        return new ContentStore(
                dir.resolve("var/bundles"),
                new Files(Path.of("/"), probe),
                bench.ticker,
                new Sources(bench.ticker, Optional.empty(), Sources.Patience.USUAL),
                Limits.USUAL);
    }

    private Set<String> names(String folder) {
        return new TreeSet<>(
                List.of(bench.sh("find " + folder + " -printf '%P\\n'").split("\n")));
    }

    /** Gives how many operations the effect has. */
    private int cutEverywhere(Consumer<ContentStore> effect, Runnable after) {
        for (int n = 1; ; n++) {
            PowerCut cut = PowerCut.before(n);
            boolean finished = false;
            try {
                effect.accept(store(cut));
                finished = true;
            } catch (PowerCut.Cut expected) {
                assertThat(cut.trace()).hasSizeGreaterThanOrEqualTo(n - 1);
            }
            after.run();
            bench.sh("rm -rf var out");
            if (finished) {
                return n - 1;
            }
        }
    }

    @Test
    void aBlobIsWholeOrAbsentAndTheNextFetchGetsIt() {
        bench.sh("tar -czf a.tar.gz src");
        String sha256 = bench.files.sha256(dir.resolve("a.tar.gz"));
        Set<String> outside = names("src");
        int operations =
                cutEverywhere(store -> store.fetch(dir.resolve("a.tar.gz").toUri(), sha256, Progress.NONE), () -> {
                    ContentStore next = store(Probe.NONE);
                    next.stored(sha256)
                            .ifPresent(
                                    blob -> assertThat(bench.files.sha256(blob)).isEqualTo(sha256));
                    Path blob = next.fetch(dir.resolve("a.tar.gz").toUri(), sha256, Progress.NONE);
                    assertThat(bench.files.sha256(blob)).isEqualTo(sha256);
                    // What the cut left of the first attempt was taken by the second.
                    assertThat(names("var"))
                            .containsExactly("", "bundles", "bundles/sha256", "bundles/sha256/" + sha256);
                    assertThat(names("src")).isEqualTo(outside);
                });
        assertThat(operations).isGreaterThanOrEqualTo(8);
    }

    @Test
    void halfOfABlobThatNobodyAsksForAgainIsPruned() {
        bench.sh("tar -cf a.tar src");
        String sha256 = bench.files.sha256(dir.resolve("a.tar"));
        cutEverywhere(store -> store.fetch(dir.resolve("a.tar").toUri(), sha256, Progress.NONE), () -> {
            store(Probe.NONE).prune(Set.of(sha256));
            bench.sh("mkdir -p var");
            assertThat(names("var")).isSubsetOf("", "bundles", "bundles/sha256", "bundles/sha256/" + sha256);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"tar -czf a src", "'zip' -q -r -y a.zip src; mv a.zip a"})
    void aFolderIsClosedUntilItIsWholeAndTheNextTryFinishes(String pack) {
        bench.sh(pack);
        Path out = dir.resolve("out");
        Set<String> outside = names(".");
        int operations =
                cutEverywhere(store -> store.unpack(dir.resolve("a"), 1, out, Bench.self(), Progress.NONE), () -> {
                    bench.files.stat(out).ifPresent(stat -> {
                        if (stat.mode() != 0700) {
                            assertThat(stat.mode()).isEqualTo(0755);
                            assertThat(Bench.tree(out)).isEqualTo(source);
                        }
                    });
                    // As the engine sweeps it away before it unpacks again.
                    bench.files.deleteTree(out);
                    assertThat(names(".")).isEqualTo(outside);
                    store(Probe.NONE).unpack(dir.resolve("a"), 1, out, Bench.self(), Progress.NONE);
                    assertThat(Bench.tree(out)).isEqualTo(source);
                });
        assertThat(operations).isGreaterThanOrEqualTo(15);
    }
}
