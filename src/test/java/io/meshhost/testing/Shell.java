package io.meshhost.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs programs for tests and gives what they said. */
public final class Shell {
    private Shell() {}

    /** What a program said, stderr among it, and its status. */
    public record Ended(int status, String said) {}

    /** Runs to the end, with nothing on its stdin. */
    public static Ended run(List<String> words) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), said);
    }

    /** Runs to the end and fails the test, with all that was said, when the status is not 0. */
    public static String must(String... words) throws IOException, InterruptedException {
        Ended ended = run(List.of(words));
        assertThat(ended.status())
                .as("%s: %s", String.join(" ", words), ended.said())
                .isZero();
        return ended.said();
    }
}
