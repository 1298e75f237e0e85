package io.meshhost.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.testing.Needs;
import io.meshhost.testing.Shell;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Memory is flat in the size of a bundle: ten times the bytes need no more of it. */
@Tag("root")
class FlatMemoryTest {
    private static final Pattern PEAK = Pattern.compile("VmHWM:\\s+(\\d+) kB");
    /** What the compiler and the collector happen to take differs by a few MiB from run to run. */
    private static final long BOUND_KIB = 24 * 1024;

    @TempDir
    Path dir;

    private Bench bench;

    @BeforeEach
    void open() throws Exception {
        Needs.command("zstd");
        dir = dir.toRealPath();
        bench = new Bench(dir);
    }

    @AfterEach
    void close() {
        bench.close();
    }

    /** KiB at most, while files of 1 MiB that nothing compresses were fetched and unpacked. */
    private long peak(int mebibytes, String compressor) throws Exception {
        bench.sh("rm -rf out bundles src; mkdir src; head -c " + mebibytes + "M /dev/urandom | (cd src; split -b 1M -a 3);"
                + " tar -C src -I '" + compressor + "' -cf a .; rm -r src");
        Shell.Ended ended = new ChildUnpacking(dir)
                .unpack(
                        List.of("LC_ALL=C.UTF-8"),
                        dir.resolve("a"),
                        bench.files.sha256(dir.resolve("a")),
                        dir.resolve("out"));
        assertThat(ended.said()).contains("entries: " + mebibytes);
        assertThat(bench.sh("du -sm --apparent-size out | cut -f1").strip())
                .satisfies(size -> assertThat(Long.parseLong(size)).isBetween((long) mebibytes, mebibytes + 1L));
        Matcher peak = PEAK.matcher(ended.said());
        assertThat(peak.find()).as(ended.said()).isTrue();
        return Long.parseLong(peak.group(1));
    }

    @ParameterizedTest
    @CsvSource({"gzip -1", "zstd -1", "cat"})
    void tenTimesTheBytesNeedNoMoreMemory(String compressor) throws Exception {
        long small = peak(30, compressor);
        long large = peak(300, compressor);
        assertThat(large - small)
                .as("KiB more for 300 MiB (%s) than for 30 MiB (%s)", large, small)
                .isLessThan(BOUND_KIB);
    }
}
