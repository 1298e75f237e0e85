package io.meshhost.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.machine.Variable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The package's host.env: every setting, explained, and none of them set. */
class HostEnvFileTest {
    /** Where this file is looked for, what the supervisor tells its host, and a TCP port, which the host does not take yet. */
    private static final Set<Variable> NOT_THERE =
            EnumSet.of(Variable.ROOT, Variable.LAUNCHER, Variable.VERSION, Variable.GIVEN_UP, Variable.HTTP_LISTEN);

    @Test
    void itNamesEverySettingWithItsDefaultAndSetsNone() throws Exception {
        List<String> lines = Files.readAllLines(Path.of("packaging/deb/files/host.env"));

        assertThat(lines).allMatch(line -> line.isEmpty() || line.startsWith("#"));
        assertThat(lines.stream().filter(line -> line.startsWith("#MESH_HOST_")))
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(Variable.values())
                        .filter(variable -> !NOT_THERE.contains(variable))
                        .map(variable -> "#" + variable.variable() + "=" + variable.standard())
                        .toList());
    }
}
