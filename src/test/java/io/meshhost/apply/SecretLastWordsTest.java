package io.meshhost.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.machine.services.ProcessSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What a program prints before it fails goes into reports and the history; a secret does not. */
class SecretLastWordsTest {
    private static ProcessSpec with(Map<String, String> secrets) {
        return new ProcessSpec(
                "web",
                "web",
                List.of("/bin/true"),
                Path.of("/"),
                new TreeMap<>(),
                new TreeMap<>(secrets),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                false,
                Optional.empty(),
                ProcessSpec.Limits.none(),
                ProcessSpec.Sandbox.NONE);
    }

    @Test
    void aSecretIsStruckOutWhereverItStands() {
        assertThat(ProcessWords.withoutSecrets(
                        List.of("+ PW=hunter22 ./migrate", "cannot log in as app:hunter22@db"),
                        with(Map.of("PW", "hunter22"))))
                .containsExactly("+ PW=(secret PW) ./migrate", "cannot log in as app:(secret PW)@db");
    }

    @Test
    void eachLineOfASecretOfManyLinesIsStruckOut() {
        assertThat(ProcessWords.withoutSecrets(
                        List.of("-----BEGIN KEY-----", "MIIBabcd", "done"),
                        with(Map.of("KEY", "-----BEGIN KEY-----\nMIIBabcd\n"))))
                .containsExactly("(secret KEY)", "(secret KEY)", "done");
    }

    @Test
    void whatHoldsNoSecretIsAsItWas() {
        assertThat(ProcessWords.withoutSecrets(List.of("a b c"), with(Map.of("X", "b"))))
                .containsExactly("a b c");
    }
}
