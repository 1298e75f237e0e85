package io.meshhost;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a reader may count on in every source file, where no compiler looks. */
class HouseRulesTest {
    private static final Path MAIN = Path.of("src/main/java");

    @Test
    void noSourceFileIsLongerThan300Lines() throws IOException {
        assertThat(sources(MAIN).filter(file -> lines(file).size() > 300)).isEmpty();
    }

    @Test
    void everyPackageSaysWhatItIsFor() throws IOException {
        List<Path> silent = sources(MAIN)
                .map(Path::getParent)
                .distinct()
                .filter(folder -> !folder.equals(MAIN.resolve("io/meshhost")))
                .filter(folder -> !Files.isRegularFile(folder.resolve("package-info.java")))
                .toList();
        assertThat(silent).isEmpty();
    }

    @Test
    void nothingIsLeftToDoInTheCode() throws IOException {
        // Written apart, so that this test does not find itself.
        List<String> words = List.of("TO" + "DO", "FIX" + "ME", "X" + "XX", "@Dis" + "abled");
        assertThat(sources(Path.of("src"))
                        .filter(file -> lines(file).stream()
                                .anyMatch(line -> words.stream().anyMatch(line::contains))))
                .isEmpty();
    }

    private static Stream<Path> sources(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(file -> file.toString().endsWith(".java")).toList().stream();
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
