package io.meshhost.declaration;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A NUL ends every text that the kernel is given, so none of a process may hold one: said before anything is touched. */
class NulTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "/resources/0/run/1       | \"run\":[\"a\",\"b\\u0000c\"]",
                "/resources/0/env/KEY     | \"run\":[\"a\"],\"env\":{\"KEY\":\"b\\u0000c\"}",
                "/resources/0/env/KEY/secret | \"run\":[\"a\"],\"env\":{\"KEY\":{\"secret\":\"b\\u0000c\"}}",
                "/resources/0/env_file/0  | \"run\":[\"a\"],\"env_file\":[\"/b\\u0000c\"]",
                "/resources/0/user        | \"run\":[\"a\"],\"user\":\"b\\u0000c\""
            })
    void isRefusedInEveryTextOfAProcess(String pointer, String fields) {
        String text =
                "{\"module\":\"m\",\"version\":\"1\",\"slug\":\"s\",\"resources\":[{\"id\":\"r\",\"type\":\"process\","
                        + "\"name\":\"web\",\"source\":\"https://bundles.invalid/x\",\"digest\":\"" + "ab".repeat(32)
                        + "\","
                        + fields + "}]}";
        Reading reading = DeclarationPropertiesTest.read(text.getBytes(StandardCharsets.UTF_8), "x.json");
        assertThat(reading.declaration()).isEmpty();
        assertThat(reading.faults()).extracting(Fault::pointer).containsOnly(pointer);
    }
}
