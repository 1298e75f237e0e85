package io.meshhost.declaration;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A declaration of 10,000 files is read in well under a second, and the cost grows with the size, not with its
 * square. Measured in the thread's own processor time: other tests on the same machine must not fail this one.
 */
class LargeDeclarationTest {
    @ParameterizedTest
    @ValueSource(strings = {"x.json", "x.yaml"})
    void tenThousandFilesAreReadWithinASecond(String name) {
        byte[] bytes = declaration(10_000, name.endsWith("yaml"), "");
        Duration best = best(bytes, name, true);
        assertThat(best).isLessThan(Duration.ofSeconds(1));
    }

    /** Every one of them faulty: the search for what was meant must not go through all for each. */
    @ParameterizedTest
    @ValueSource(strings = {"x.json", "x.yaml"})
    void tenThousandFaultsAreFoundWithinThreeSeconds(String name) {
        byte[] bytes = declaration(10_000, name.endsWith("yaml"), "unknown");
        Duration best = best(bytes, name, false);
        assertThat(best).isLessThan(Duration.ofSeconds(3));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x.json", "x.yaml"})
    void fourTimesAsManyDoNotTakeSixteenTimesAsLong(String name) {
        boolean yaml = name.endsWith("yaml");
        Duration few = best(declaration(4_000, yaml, ""), name, true);
        Duration many = best(declaration(16_000, yaml, ""), name, true);
        assertThat(many).isLessThan(few.multipliedBy(10).plusMillis(200));
    }

    private static Duration best(byte[] bytes, String name, boolean good) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        Duration best = Duration.ofDays(1);
        for (int i = 0; i < 6; i++) {
            long start = threads.getCurrentThreadCpuTime();
            Reading reading = DeclarationPropertiesTest.read(bytes, name);
            Duration took = Duration.ofNanos(threads.getCurrentThreadCpuTime() - start);
            assertThat(reading.declaration().isPresent()).isEqualTo(good);
            best = took.compareTo(best) < 0 ? took : best;
        }
        return best;
    }

    private static final String YAML = """
              - id: r%1$d
                type: file
                path: /etc/app/${version}/conf.d/%1$05d.conf
                mode: "0644"
                owner: root
                content: |
                  [section-%1$d]
                  key = value
                  other = thing
                after: [%2$s]
            """;
    private static final String JSON = """
            %3$s{"id":"r%1$d","type":"file","path":"/etc/app/${version}/conf.d/%1$05d.conf","mode":"0644","owner":"root",\
            "content":"[section-%1$d]\\nkey = value\\nother = thing\\n","after":[%2$s]}
            """;

    private static byte[] declaration(int files, boolean yaml, String more) {
        StringBuilder text = new StringBuilder(
                yaml
                        ? "module: m\nversion: '1'\nslug: s\nresources:\n"
                        : "{\"module\":\"m\",\"version\":\"1\",\"slug\":\"s\",\"resources\":[");
        for (int i = 0; i < files; i++) {
            String after = i == 0 ? "" : '"' + (more.isEmpty() ? "r" + (i - 1) : more + i) + '"';
            text.append((yaml ? YAML : JSON).formatted(i, after, i == 0 ? "" : ","));
        }
        return text.append(yaml ? "" : "]}").toString().getBytes(StandardCharsets.UTF_8);
    }
}
