package io.meshhost.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the supervisor writes of itself, and what the next one reads of it. */
class SupervisorStatusTest {
    private static SupervisorStatus status() {
        return new SupervisorStatus(
                "waiting",
                "2026-01-02T03:04:05Z",
                41,
                "version a \"b\"",
                "a \"b\"",
                "/v/a/nox-mesh-host",
                OptionalLong.of(9),
                null,
                42,
                4711,
                "boot",
                2,
                "it hung",
                "2026-01-02T03:04:10Z",
                "starts version a",
                null,
                List.of("a note", "the list's \"version\": \"x\""));
    }

    @Test
    void itIsOneLineOfJson() {
        assertThat(status().json())
                .isEqualTo("{\"state\":\"waiting\",\"since\":\"2026-01-02T03:04:05Z\",\"pid\":41,"
                        + "\"host\":\"version a \\\"b\\\"\",\"version\":\"a \\\"b\\\"\","
                        + "\"program\":\"/v/a/nox-mesh-host\",\"arrival\":9,\"child\":42,\"childStarted\":4711,\"boot\":\"boot\","
                        + "\"failures\":2,\"lastFailure\":\"it hung\",\"next\":\"2026-01-02T03:04:10Z\","
                        + "\"then\":\"starts version a\","
                        + "\"notes\":[\"a note\",\"the list's \\\"version\\\": \\\"x\\\"\"]}\n");
    }

    @Test
    void theNextSupervisorReadsWhoRanThen() {
        assertThat(SupervisorStatus.last(Optional.of(status().json())))
                .contains(new SupervisorStatus.Last(
                        Optional.of("a \"b\""),
                        Optional.of("/v/a/nox-mesh-host"),
                        OptionalLong.of(9),
                        2,
                        42,
                        4711,
                        "boot"));
    }

    @Test
    void withoutAFileNobodyRan() {
        assertThat(SupervisorStatus.last(Optional.empty()))
                .contains(new SupervisorStatus.Last(
                        Optional.empty(), Optional.empty(), OptionalLong.empty(), 0, 0, 0, ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "null", "[]", "7", "\"x\"", "{\"notes\":[\"x\"]}", "{\"version\":null}"})
    void whatSaysNothingNamesNobody(String text) {
        assertThat(SupervisorStatus.last(Optional.of(text)))
                .hasValueSatisfying(last -> assertThat(last.child()).isZero())
                .hasValueSatisfying(last -> assertThat(last.version()).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "\u0000",
                "{\"child\":\"x\"}",
                "{\"child\":99999999999}",
                "{\"childStarted\":1e5}",
                "{\"arrival\":\"\"}"
            })
    void garbageIsNobody(String text) {
        assertThat(SupervisorStatus.last(Optional.of(text))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"../x", ".hidden", "a/b", "\\u0000", "a\\nb", ""})
    void aNameThatIsNoVersionsMakesNoPath(String name) {
        assertThat(SupervisorStatus.last(Optional.of("{\"version\":\"" + name + "\",\"child\":5}")))
                .hasValueSatisfying(last -> assertThat(last.version()).isEmpty());
    }
}
