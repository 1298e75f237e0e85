package io.meshhost.machine.services;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Hundreds of random values, arguments and paths through a supervisor, read back from /proc of the process. */
abstract class OddBytesContract extends ServicesFixture {
    private static final int UNITS = Boolean.getBoolean("full") ? 60 : 4;
    private static final int VALUES = 60;
    private static final long SEED = Boolean.getBoolean("full") ? System.nanoTime() : 20270301;

    /** Names of programs, each of which somebody could take for more than a name (UE-08). */
    private static final List<String> PROGRAMS = List.of(
            "a b", " ab", "ab ", "a\"b", "it's", "-app", "@app", "+app", "!app", "!!app", ":app", "|app", "a$b",
            "$HOME", "${X}", "%h", "50%", "back\\", "\\x41", "a;b", ";", "#app", "a=b", "a\nb", "a\tb", "ä😀", "~", "*",
            "[a]");

    private int number;

    @Test
    void randomArgumentsValuesAndSecretsArriveByteForByte() throws IOException { // UE-01 to UE-06
        for (int unit = 0; unit < UNITS; unit++) {
            long seed = SEED + unit;
            RandomText text = new RandomText(new Random(seed));
            List<String> arguments = Stream.concat(Stream.generate(text::value).limit(VALUES), Stream.of(text.large()))
                    .toList();
            Map<String, String> values = values("V_", text);
            Map<String, String> secrets = values("S_", text);
            ProcessSpec spec = install(daemon("mesh-random", "dump", arguments.toArray(String[]::new))
                    .env(values)
                    .secret(file("secret.env"), secrets));
            assertThat(services().misunderstood(spec)).as("seed %d", seed).isEmpty();
            Files.deleteIfExists(file("pwd"));
            services().restart("mesh-random.service");
            awaitFile("pwd");
            List<String> words = words("cmdline");
            assertThat(words.subList(words.size() - arguments.size(), words.size()))
                    .as("arguments of seed %d", seed)
                    .isEqualTo(arguments);
            assertThat(words("environ"))
                    .as("environment of seed %d", seed)
                    .containsAll(lines(values))
                    .containsAll(lines(secrets));
        }
    }

    private static Map<String, String> values(String prefix, RandomText text) {
        Map<String, String> values = new TreeMap<>();
        for (int i = 0; i < VALUES; i++) {
            values.put(prefix + i, text.value());
        }
        values.put(prefix + "LARGE", text.large());
        return values;
    }

    @Test
    void aProgramIsFoundUnderAnyName() throws IOException { // UE-08
        RandomText text = new RandomText(new Random(SEED));
        List<String> names = new ArrayList<>(PROGRAMS);
        Stream.generate(text::name).distinct().limit(10).forEach(names::add);
        for (String name : names) {
            runsFrom(file("odd" + ++number), name);
        }
    }

    @Test
    void aBundleMayLieAnywhere() throws IOException {
        for (String name : List.of("a b", "50%", "%h", "a\"b", "it's", "back\\", "$HOME", "ä", "-x", "trailing ")) {
            runsFrom(file(name), "run");
        }
    }

    private void runsFrom(Path directory, String name) throws IOException {
        Path program = Files.createDirectories(directory).resolve(name);
        Files.writeString(program, "#!/bin/sh\ncat /proc/$$/cmdline >part\nmv part seen\nexec sleep 1000\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        ProcessSpec spec =
                install(Specs.daemon("mesh-where", program.toString(), "last").in(directory));
        assertThat(services().misunderstood(spec)).as("%s", program).isEmpty();
        services().restart("mesh-where.service");
        Path seen = directory.resolve("seen");
        await(program.toString()).atMost(10, SECONDS).until(() -> Files.exists(seen));
        assertThat(Files.readString(seen)).endsWith("\0" + program + "\0last\0");
    }
}
