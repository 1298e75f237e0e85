package io.meshhost.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JavaHomeTest {
    @Test
    void aHelperThatIsReplacedIsSeen(@TempDir Path dir) throws IOException {
        Path helper = Files.writeString(dir.resolve("jspawnhelper"), "25.0.1");
        JavaHome java = new JavaHome(Optional.of(helper));
        assertThat(java.replaced()).isFalse();
        Files.delete(helper);
        assertThat(java.replaced()).isTrue();
        Files.writeString(helper, "25.0.2");
        assertThat(java.replaced()).isTrue();
    }

    @Test
    void theOneThatRunsThisIsNotAndANativeExecutableHasNone() {
        assertThat(JavaHome.now().replaced()).isFalse();
        assertThat(new JavaHome(Optional.empty()).replaced()).isFalse();
    }
}
