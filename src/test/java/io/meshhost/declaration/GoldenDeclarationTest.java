package io.meshhost.declaration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One file a case: the declaration, and under {@code --- faults} what is said of it, one line each.
 *
 * <p>The first line names the file as the operator called it, so its ending decides between JSON and YAML.
 * With {@code -Dgolden.update=true} the faults are written anew, to be read before they are committed.
 */
class GoldenDeclarationTest {
    private static final Path CASES = Path.of("src/test/resources/declarations");
    private static final String MARK = "\n--- faults\n";

    static Stream<String> cases() throws IOException {
        try (Stream<Path> files = Files.list(CASES)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void theFaultsAreThose(String name) throws IOException {
        String golden = Files.readString(CASES.resolve(name));
        int mark = golden.indexOf(MARK);
        int first = golden.indexOf('\n');
        String fileName = golden.substring("--- ".length(), first);
        String input = golden.substring(first + 1, mark + 1);
        Reading reading = Declarations.read(
                input.getBytes(StandardCharsets.UTF_8),
                fileName,
                Path.of("/base"),
                new MachineFacts("box1", "debian", Map.of()));
        String said = lines(reading.faults());
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(CASES.resolve(name), golden.substring(0, mark) + MARK + said);
            return;
        }
        assertThat(said).isEqualTo(golden.substring(mark + MARK.length()));
        assertThat(reading.declaration().isPresent())
                .isEqualTo(reading.faults().stream().allMatch(Fault::warning));
    }

    private static String lines(List<Fault> faults) {
        StringBuilder lines = new StringBuilder();
        faults.forEach(fault -> lines.append(fault).append('\n'));
        return lines.toString();
    }
}
