package io.meshhost.declaration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever the bytes, there is a reading, soon. Seeds are kept under {@code fuzz/declaration}; a file that ever
 * failed is added there. {@code -Dfuzz.rounds=N} looks longer.
 */
class FuzzedDeclarationTest {
    private static final Path SEEDS = Path.of("src/test/resources/fuzz/declaration");
    private static final List<String> PIECES = List.of(
            "{",
            "}",
            "[",
            "]",
            ":",
            ",",
            "\"",
            "'",
            "- ",
            "? ",
            "| ",
            ">",
            "&a ",
            "*a ",
            "!!",
            "!",
            "%",
            "---\n",
            "...\n",
            "\t",
            "\n",
            "\r",
            "\0",
            "\\",
            "\\ud800",
            "\\u0000",
            "${",
            "}",
            "$${",
            "0x",
            "1e9999",
            "null",
            "<<: ",
            "#",
            "\u0085",
            "\u2028",
            "\ufeff",
            "😀",
            "~",
            "@",
            "`",
            "/../",
            "//",
            "modules",
            "resources",
            "-",
            "9".repeat(40));

    static Stream<Path> seeds() throws IOException {
        try (Stream<Path> files = Files.list(SEEDS)) {
            return files.sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyMutationOfASeedIsRead(Path seed) throws IOException {
        byte[] bytes = Files.readAllBytes(seed);
        long number = seed.getFileName().toString().hashCode();
        int rounds = Integer.getInteger("fuzz.rounds", 60);
        assertTimeoutPreemptively(Duration.ofSeconds(60L + rounds), () -> {
            isRead(bytes, "seed");
            for (int round = 0; round < rounds; round++) {
                isRead(mutated(bytes, new Random(number * 31 + round)), seed.getFileName() + " round " + round);
            }
        });
    }

    /** Each once made some reader of YAML or JSON loop, overflow its stack or take quadratic time. */
    @Test
    void hugeAndCrookedDocumentsEndSoon() {
        int many = 200_000;
        for (String text : List.of(
                "[".repeat(many),
                "{".repeat(many),
                "{\"a\":".repeat(many),
                "- ".repeat(many),
                "? ".repeat(many),
                "a: ".repeat(many),
                "[a, ".repeat(many),
                "\"" + "\\n".repeat(many),
                "x".repeat(many),
                "!".repeat(many),
                "&".repeat(many),
                "%".repeat(many),
                "1:".repeat(many),
                "a: " + "1:1".repeat(many),
                "#".repeat(many),
                "\n".repeat(many) + "a",
                "a: |\n" + " \n".repeat(many),
                "---\n".repeat(many),
                "a: b\n".repeat(many),
                "'" + "''".repeat(many),
                "${".repeat(many),
                "{\"module\": \"" + "${".repeat(many) + "\"}",
                "key: " + "a ".repeat(many))) {
            for (String name : List.of("x.json", "x.yaml")) {
                Reading reading = assertTimeoutPreemptively(
                        Duration.ofSeconds(60),
                        () -> DeclarationPropertiesTest.read(text.getBytes(StandardCharsets.UTF_8), name),
                        () -> name + " " + text.substring(0, 12));
                assertThat(reading.declaration()).isEmpty();
            }
        }
    }

    private static void isRead(byte[] bytes, String what) {
        for (String name : List.of("x.json", "x.yaml", "x")) {
            Reading reading = DeclarationPropertiesTest.read(bytes, name);
            assertThat(reading.declaration().isPresent())
                    .as(what)
                    .isEqualTo(reading.faults().stream().allMatch(Fault::warning));
            assertThat(reading.faults()).as(what).allSatisfy(fault -> {
                assertThat(fault.line()).isPositive();
                assertThat(fault.column()).isPositive();
                assertThat(fault.toString()).doesNotContain("\n", "\r", "\0");
            });
        }
    }

    private static byte[] mutated(byte[] seed, Random random) {
        byte[] bytes = seed;
        for (int i = 0; i <= random.nextInt(4); i++) {
            int at = random.nextInt(bytes.length + 1);
            int to = Math.min(bytes.length, at + random.nextInt(12));
            byte[] piece = switch (random.nextInt(4)) {
                case 0 -> PIECES.get(random.nextInt(PIECES.size())).getBytes(StandardCharsets.UTF_8);
                case 1 -> new byte[] {(byte) random.nextInt(256)};
                case 2 -> new byte[0];
                default -> {
                    int from = random.nextInt(bytes.length + 1);
                    yield Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + random.nextInt(60)));
                }
            };
            byte[] next = new byte[at + piece.length + bytes.length - to];
            System.arraycopy(bytes, 0, next, 0, at);
            System.arraycopy(piece, 0, next, at, piece.length);
            System.arraycopy(bytes, to, next, at + piece.length, bytes.length - to);
            bytes = next;
        }
        return bytes;
    }
}
