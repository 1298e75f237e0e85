package io.meshhost.declaration;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Linux starts no program with a word of 128 KiB or more, NAME=VALUE being one word: execve(2), MAX_ARG_STRLEN. */
class LongWordTest {
    private static final int MOST = 131_071;

    private static Reading process(String fields) {
        String text = "{\"module\":\"m\",\"version\":\"1\",\"slug\":\"s\",\"resources\":[\n{\"id\":\"r\",\"type\":"
                + "\"process\",\"name\":\"web\",\"source\":\"https://bundles.invalid/x\",\"digest\":\""
                + "ab".repeat(32) + "\",\n" + fields + "}]}";
        return DeclarationPropertiesTest.read(text.getBytes(StandardCharsets.UTF_8), "x.json");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "/resources/0/run/1            | 0 | \"run\":[\"a\",\"@\"] | run is longer",
                "/resources/0/health/command/1 | 0 | \"run\":[\"a\"],\"health\":{\"command\":[\"b\",\"@\"]} | command is longer",
                "/resources/0/env/KEY          | 4 | \"run\":[\"a\"],\"env\":{\"KEY\":\"@\"} | \"KEY\" with its name is longer",
            })
    void isRefusedInItsPlaceAndOneByteLessIsNot(String pointer, int name, String fields, String said) {
        String most = "é" + "x".repeat(MOST - name - 2);
        assertThat(process(fields.replace("@", most)).faults()).isEmpty();
        Reading refused = process(fields.replace("@", most + "x"));
        assertThat(refused.declaration()).isEmpty();
        assertThat(refused.faults()).singleElement().satisfies(fault -> {
            assertThat(fault.pointer()).isEqualTo(pointer);
            assertThat(fault.line()).isEqualTo(3);
            assertThat(fault.message())
                    .isEqualTo(said + " than 131071 bytes, the most that Linux hands to a program in one word; put it"
                            + " into a file that the program reads");
        });
    }

    @Test
    void theSchemaHasTheSameMost() {
        assertThat(Schema.node()
                        .at("/$defs/process/properties/run/items/maxLength")
                        .asInt())
                .isEqualTo(MOST);
    }
}
