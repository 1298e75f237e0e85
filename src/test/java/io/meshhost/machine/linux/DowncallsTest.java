package io.meshhost.machine.linux;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A downcall that the image was not told of is an Error at its first use in a native executable, and in none before. */
class DowncallsTest {
    private static final Pattern SHAPE = Pattern.compile("FunctionDescriptor\\.of\\(([^()]*)\\)");

    @Test
    void everyShapeInTheCodeIsRegisteredAndNoOther() throws Exception {
        Set<String> used = new TreeSet<>();
        try (Stream<Path> sources = Files.list(Path.of("src/main/java/io/meshhost/machine/linux"))) {
            for (Path source : sources.toList()) {
                SHAPE.matcher(Files.readString(source))
                        .results()
                        .map(DowncallsTest::shape)
                        .forEach(used::add);
            }
        }
        assertThat(used).hasSizeGreaterThan(10).isEqualTo(registered());
    }

    private static String shape(MatchResult found) {
        return Arrays.stream(found.group(1).split(",", -1))
                .map(String::strip)
                .map(word -> switch (word) {
                    case "JAVA_INT" -> "int";
                    case "JAVA_LONG" -> "long";
                    case "JAVA_SHORT" -> "short";
                    case "ADDRESS" -> "void*";
                    default -> throw new AssertionError("an unknown layout: " + word);
                })
                .collect(joining(" "));
    }

    private static Set<String> registered() throws Exception {
        JsonNode calls = new ObjectMapper()
                .readTree(Path.of("src/main/resources/META-INF/native-image/io.meshhost/mesh-host/"
                                + "reachability-metadata.json")
                        .toFile())
                .at("/foreign/downcalls");
        Set<String> shapes = new TreeSet<>();
        for (JsonNode call : calls) {
            StringBuilder shape = new StringBuilder(call.get("returnType").asText());
            call.get("parameterTypes").forEach(type -> shape.append(' ').append(type.asText()));
            shapes.add(shape.toString());
        }
        return shapes;
    }
}
