package io.meshhost.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.machine.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Archives with some bytes changed: each ends as a tree or as a {@link BundleFailure}, nothing stands outside,
 * and after a failure nothing at all. {@code -Dfuzz.rounds=N} for more than the usual rounds.
 */
class UnpackFuzzTest {
    private static final Path SEEDS = Path.of("src/test/resources/fuzz/unpack");
    private static final int ROUNDS = Integer.getInteger("fuzz.rounds", 60);

    @TempDir
    Path dir;

    static Stream<Path> seeds() throws IOException {
        try (Stream<Path> all = Files.list(SEEDS)) {
            return all.sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aChangedArchiveEndsWellOrInASentence(Path seed) throws IOException {
        byte[] whole = Files.readAllBytes(seed);
        Random random = new Random(seed.getFileName().toString().hashCode());
        try (Bench bench = new Bench(dir, new Limits(4 << 20, 500, 1_000, 1 << 20))) {
            for (int round = 0; round < ROUNDS; round++) {
                byte[] bytes = round == 0 ? whole : mutated(whole, random);
                Files.write(dir.resolve("a"), bytes);
                Map<String, String> before = Bench.tree(dir);
                boolean unpacked = tryToUnpack(bench);
                assertThat(Files.exists(dir.resolve("out"))).isEqualTo(unpacked);
                bench.files.deleteTree(dir.resolve("out"));
                assertThat(Bench.tree(dir)).isEqualTo(before);
            }
        }
    }

    private boolean tryToUnpack(Bench bench) {
        try {
            bench.store.unpack(dir.resolve("a"), 0, dir.resolve("out"), Bench.self(), Progress.NONE);
            return true;
        } catch (BundleFailure e) {
            assertThat(e.sentence()).startsWith("cannot unpack ").doesNotContain("\n");
            return false;
        }
    }

    private static byte[] mutated(byte[] whole, Random random) {
        byte[] bytes = whole.clone();
        switch (random.nextInt(4)) {
            case 0 -> bytes = java.util.Arrays.copyOf(bytes, random.nextInt(bytes.length));
            case 1 -> {
                int length = 1 + random.nextInt(64);
                int from = random.nextInt(Math.max(1, bytes.length - length));
                int to = random.nextInt(Math.max(1, bytes.length - length));
                System.arraycopy(whole, from, bytes, to, Math.min(length, bytes.length - Math.max(from, to)));
            }
            default -> {
                for (int i = 1 + random.nextInt(8); i > 0; i--) {
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
                }
            }
        }
        if (random.nextBoolean()) {
            fixSums(bytes);
        }
        return bytes;
    }

    /** So that a change in a tar's header is met by the code behind the check sum. */
    private static void fixSums(byte[] tar) {
        for (int at = 0; at + 512 <= tar.length; at += 512) {
            if (new String(tar, at + 257, 5, java.nio.charset.StandardCharsets.ISO_8859_1).equals("ustar")) {
                java.util.Arrays.fill(tar, at + 148, at + 156, (byte) ' ');
                int sum = 0;
                for (int i = at; i < at + 512; i++) {
                    sum += tar[i] & 0xff;
                }
                byte[] octal = String.format(java.util.Locale.ROOT, "%06o\0 ", sum)
                        .getBytes(java.nio.charset.StandardCharsets.US_ASCII);
                System.arraycopy(octal, 0, tar, at + 148, 8);
            }
        }
    }
}
