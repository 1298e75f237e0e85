package io.meshhost.apply;

import static io.meshhost.apply.testing.Declared.file;
import static io.meshhost.apply.testing.Declared.machine;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.apply.testing.Rig;
import io.meshhost.declaration.Declaration;
import io.meshhost.declaration.Resource;
import io.meshhost.machine.Probe;
import io.meshhost.record.RecordFailure;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was there before goes to the record in portions: a batch of 500 large files must not be in memory at once. */
class OpeningTest {
    private static final int FILES = 20;
    private static final String MEBIBYTE = "m".repeat(1 << 20);

    @TempDir
    Path base;

    private Rig rig;

    @BeforeEach
    void largeFilesAreThere() {
        rig = new Rig(base).impatient();
        IntStream.range(0, FILES).forEach(n -> rig.write("/srv/" + n, MEBIBYTE));
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private static Declaration declaration() {
        return machine(IntStream.range(0, FILES)
                .mapToObj(n -> file("a/f" + n, "/srv/" + n, "new"))
                .toArray(Resource[]::new));
    }

    @Test
    void aBatchIsBegunEightMebibytesAtATimeBeforeItsFirstWrite() {
        List<String> order = new ArrayList<>();
        rig.restart((n, what, path) -> order.add("disk"), (n, what, path) -> order.add(what));
        assertThat(rig.apply(declaration()).ok()).isTrue();
        List<String> distinct = new ArrayList<>();
        order.forEach(what -> {
            if (distinct.isEmpty() || !distinct.getLast().equals(what)) {
                distinct.add(what);
            }
        });
        assertThat(distinct)
                .startsWith("begin", "after-begin", "begin", "after-begin", "begin", "after-begin", "disk", "finish");
        assertThat(rig.record().contentBefore("a/f19").map(content -> content.length))
                .isEqualTo(Optional.of(1 << 20));
    }

    @Test
    void aPortionThatCannotBeWrittenDownFailsAlone() {
        int[] begun = {0};
        rig.restart(Probe.NONE, (n, what, path) -> {
            if (what.equals("begin") && ++begun[0] == 2) {
                throw new RecordFailure("cannot write the record: no space is left", null);
            }
        });
        Report report = rig.apply(declaration());
        assertThat(report.summary()).containsEntry("updated", 12).containsEntry("failed", 8);
        assertThat(report.outcomes().get(8).error()).isEqualTo("cannot write the record: no space is left");
        assertThat(rig.text("/srv/8")).isEqualTo(MEBIBYTE);
        assertThat(rig.text("/srv/7")).isEqualTo("new");
    }
}
