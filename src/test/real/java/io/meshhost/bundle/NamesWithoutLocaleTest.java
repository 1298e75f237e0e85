package io.meshhost.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.testing.Shell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** AR-12: what a service manager starts has no locale, unless somebody gives it one. */
@Tag("root")
class NamesWithoutLocaleTest {
    @TempDir
    Path dir;

    private Bench bench;
    private String sha256;

    @BeforeEach
    void anArchiveWithNamesOfThreeAlphabets() throws IOException {
        dir = dir.toRealPath();
        bench = new Bench(dir);
        // The bytes of café.txt and 日本.txt, whatever the shell takes them for.
        bench.sh("umask 022; mkdir src; printf 1 > \"src/$(printf 'caf\\303\\251.txt')\";"
                + " printf 2 > \"src/$(printf '\\346\\227\\245\\346\\234\\254.txt')\"; printf 3 > src/plain.txt;"
                + " tar -C src -cf a.tar .");
        sha256 = bench.files.sha256(dir.resolve("a.tar"));
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private Shell.Ended started(List<String> environment) throws IOException, InterruptedException {
        return new ChildUnpacking(dir).unpack(environment, dir.resolve("a.tar"), sha256, dir.resolve("out"));
    }

    @Test
    void withTheLocaleThatTheLauncherAndTheUnitGiveEveryByteOfANameIsKept() throws Exception {
        Shell.Ended ended = started(List.of("LC_ALL=C.UTF-8"));
        assertThat(ended.said()).contains("entries: 3");
        assertThat(ended.status()).isZero();
        assertThat(bench.sh("find out -type f | LC_ALL=C sort | od -An -c | tr -d ' \\n'"))
                .isEqualTo("out/caf303251.txt\\nout/plain.txt\\nout/346227245346234254.txt\\n");
    }

    @Test
    void withoutOneItIsRefusedWithWhatToDoAndNothingIsLeft() throws Exception {
        Shell.Ended ended = started(List.of());
        assertThat(ended.said().strip())
                .startsWith("cannot unpack " + dir.resolve("bundles/sha256") + "/" + sha256
                        + ": this program cannot form the name ")
                .endsWith("; start it with LC_ALL=C.UTF-8");
        assertThat(ended.status()).isEqualTo(1);
        assertThat(dir.resolve("out")).doesNotExist();
    }
}
