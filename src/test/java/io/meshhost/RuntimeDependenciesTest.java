package io.meshhost;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.testing.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A new run-time dependency must show in review: it runs as root on other people's machines.
 *
 * <p>The build writes target/runtime-dependencies.txt; when a change is wanted, copy it over the golden list.
 */
class RuntimeDependenciesTest {
    @Test
    void theRunTimeDependenciesAreThoseThatWereReviewed() throws IOException {
        Path built = Path.of("target/runtime-dependencies.txt");
        Needs.that(Files.exists(built), built + " (the Maven build)");
        assertThat(coordinates(built))
                .as(
                        "run-time dependencies; if this change is wanted: cp %s src/test/resources/runtime-dependencies.txt",
                        built)
                .isEqualTo(coordinates(Path.of("src/test/resources/runtime-dependencies.txt")));
    }

    private static List<String> coordinates(Path list) throws IOException {
        return Files.readAllLines(list).stream()
                .map(line -> line.replaceAll("\\x1b\\[[0-9;]*m", "")
                        .replaceAll(" -- .*", "")
                        .strip())
                .filter(line -> line.contains(":") && !line.startsWith("The following"))
                .sorted()
                .toList();
    }
}
