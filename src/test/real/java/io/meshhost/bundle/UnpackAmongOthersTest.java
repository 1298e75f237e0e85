package io.meshhost.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhost.machine.Progress;
import io.meshhost.testing.Needs;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Root unpacks only where nobody else can put something in the place of what it unpacked. */
@Tag("root")
class UnpackAmongOthersTest {
    @TempDir
    Path dir;

    private Bench bench;

    @BeforeEach
    void anArchive() throws IOException {
        Needs.root();
        dir = dir.toRealPath();
        bench = new Bench(dir);
        bench.sh("umask 022; mkdir src place; printf x > src/app; tar -C src -cf a .");
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private void unpack() {
        bench.store.unpack(dir.resolve("a"), 0, dir.resolve("place/app"), Bench.self(), Progress.NONE);
    }

    @ParameterizedTest
    @CsvSource({"12345:0, 0755", "12345:0, 1777", "0:0, 0777", "0:12345, 0775"})
    void whereOthersMayReplaceItTheSentenceSaysWhoAndWhatToDo(String owner, String mode) {
        bench.sh("chown " + owner + " place; chmod " + mode + " place");
        assertThatThrownBy(this::unpack)
                .isInstanceOf(BundleFailure.class)
                .hasMessage("cannot unpack " + dir.resolve("a") + ": cannot make directory " + dir.resolve("place/app")
                        + ": others may write into " + dir.resolve("place")
                        + " and replace what is unpacked there; make it root's, or declare another path");
        assertThat(bench.files.list(dir.resolve("place"))).isEmpty();
    }

    @Test
    void inAStickyDirectoryOfRootsItIsUnpacked() {
        bench.sh("chmod 1777 place");
        unpack();
        assertThat(Bench.tree(dir.resolve("place/app"))).isEqualTo(Bench.tree(dir.resolve("src")));
        assertThat(bench.sh("stat -c '%a %u' place/app").strip()).isEqualTo("755 0");
    }

    @Test
    void whatSomebodyPutThereFirstIsNotFilled() {
        bench.sh("chmod 1777 place; mkdir place/app; chown 12345 place/app");
        assertThatThrownBy(this::unpack)
                .isInstanceOf(BundleFailure.class)
                .hasMessageContaining("something is there already");
        assertThat(bench.files.list(dir.resolve("place/app"))).isEmpty();
    }
}
