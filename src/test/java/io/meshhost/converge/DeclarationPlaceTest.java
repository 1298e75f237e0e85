package io.meshhost.converge;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.machine.Settings;
import io.meshhost.machine.Variable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Of the two default names, the one that is there is named. */
@SuppressWarnings("NullAway.Init")
class DeclarationPlaceTest {
    @TempDir
    Path root;

    private Path json;
    private Path yaml;

    @BeforeEach
    void aFolderForIt() throws IOException {
        Path folder = Files.createDirectories(root.resolve("etc/mesh-host"));
        json = folder.resolve("declaration.json");
        yaml = folder.resolve("declaration.yaml");
    }

    /** As the daemon's log and status name it. */
    private String named() {
        try (Host host = new SystemHost(
                Settings.real(Map.of(Variable.ROOT, root.toString()), true),
                new Host.Choices(Optional.of(root), Optional.empty(), true, Map.of()))) {
            return host.parts("1").identity().declaration();
        }
    }

    @Test
    void whereNoneIsThereBothAreNamed() {
        assertThat(named()).isEqualTo(json + " or " + yaml);
    }

    @Test
    void theOneThatIsThereIsNamed() throws IOException {
        Files.writeString(yaml, "modules: []\n");
        assertThat(named()).isEqualTo(yaml.toString());
        Files.move(yaml, json);
        assertThat(named()).isEqualTo(json.toString());
    }

    @Test
    void whereBothAreThereBothAreNamed() throws IOException {
        Files.writeString(yaml, "");
        Files.writeString(json, "");
        assertThat(named()).isEqualTo(json + " or " + yaml);
    }

    @Test
    void theOneThatIsBeingWrittenIsNamed() throws IOException {
        Files.writeString(yaml, "half of it");
        DeclarationSource source = new DeclarationSource(new DeclarationPlace(List.of(json, yaml)), path -> {
            throw new AssertionError("read");
        });
        assertThat(source.look("another"))
                .isEqualTo(new DeclarationSource.Known.Bad(
                        yaml.toString(),
                        "cannot read " + yaml + " yet: it is being written; it is read when the writer is done",
                        List.of()));
    }
}
