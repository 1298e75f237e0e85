package io.meshhost.apply;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import io.meshhost.apply.testing.Declared;
import io.meshhost.apply.testing.Rig;
import io.meshhost.declaration.Declaration;
import io.meshhost.declaration.Resource;
import io.meshhost.machine.Probe;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an apply costs grows with the number of resources and no faster. */
class CostTest {
    @TempDir
    Path base;

    private static Declaration files(int count) {
        return Declared.machine(IntStream.range(0, count)
                .mapToObj(i -> Declared.file("m/f" + i, path(i), "option = " + i + "\n"))
                .toArray(Resource[]::new));
    }

    private static String path(int i) {
        return "/srv/d" + i % 10 + "/f" + i;
    }

    /** Writes, renames, fsyncs and transactions of a first converge. */
    private long operations(int count) {
        AtomicLong operations = new AtomicLong();
        Probe counting = (number, operation, path) -> operations.incrementAndGet();
        try (Rig rig = new Rig(base.resolve("n" + count)).impatient()) {
            rig.restart(counting, counting);
            assertThat(rig.apply(files(count)).summary()).containsEntry("created", count);
        }
        return operations.get();
    }

    @Test
    void aFirstConvergeTakesTheSameOperationsForEachFile() {
        long first = operations(20);
        long second = operations(40);
        long third = operations(80);
        // An apply may sign the last files once more at its end, which is a transaction or two whatever their number.
        assertThat(third - second).isBetween(2 * (second - first) - 4, 2 * (second - first) + 4);
    }

    @Test
    void fourTimesTheUnchangedFilesCostFourTimesTheWork() {
        long few = unchanged(1000);
        long many = unchanged(4000);
        // In clock ticks of a machine that others use as well: twice too much is still far from quadratic.
        assertThat(many).isLessThan(8 * Math.max(few, 20_000_000L));
    }

    /** CPU time of the whole process, the least of some. */
    private long unchanged(int count) {
        OperatingSystemMXBean process = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        Declaration declaration = files(count);
        List<Long> nanos = new ArrayList<>();
        try (Rig rig = new Rig(base.resolve("u" + count))) {
            for (int i = 0; i < count; i++) {
                rig.write(path(i), "option = " + i + "\n");
            }
            rig.apply(declaration);
            for (int run = 0; run < 7; run++) {
                long since = process.getProcessCpuTime();
                assertThat(rig.apply(declaration).summary()).containsEntry("unchanged", count);
                nanos.add(process.getProcessCpuTime() - since);
            }
        }
        return nanos.stream().mapToLong(Long::longValue).min().orElseThrow();
    }
}
