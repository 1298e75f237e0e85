package io.meshhost.converge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.Settings;
import io.meshhost.machine.Variable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.data.Index;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings of the machine as its host.env has them: what is bad is said before anything reads it. */
class SystemHostTest {
    @TempDir
    Path root;

    private Host host(String hostEnv) throws IOException {
        Files.writeString(Files.createDirectories(root.resolve("etc/mesh-host")).resolve("host.env"), hostEnv);
        return new SystemHost(
                Settings.real(Map.of(Variable.ROOT, root.toString()), true),
                new Host.Choices(Optional.of(root), Optional.empty(), true, Map.of()));
    }

    private String where() {
        return " of " + root.resolve("etc/mesh-host/host.env") + " is ";
    }

    @Test
    void whatIsBadIsSaidToEveryCommand() throws IOException {
        try (Host host = host("MESH_HOST_RECONCILE_EVERY=0\nMESH_HOST_DATA_DIR=data\n")) {
            assertThat(host.complaints())
                    .containsExactly(
                            "MESH_HOST_DATA_DIR" + where() + "\"data\", which is not an absolute path without \"..\";"
                                    + " using " + root.resolve("var/lib/mesh/data"),
                            "MESH_HOST_RECONCILE_EVERY" + where()
                                    + "\"0\", which is not a number of seconds from 1, as 600 or 1.5; using 600");
            assertThat(host.parts("1").identity().complaints()).isEqualTo(host.complaints());
        }
    }

    @Test
    void whatOnlyTheDaemonRefusesIsSaidToo() throws IOException {
        String tooLong = "/run/" + "x".repeat(108);
        try (Host host = host("MESH_HOST_HTTP_LISTEN=127.0.0.1:80\nMESH_HOST_CONTROL=" + tooLong + "\n")) {
            assertThat(host.complaints())
                    .hasSize(2)
                    .satisfies(
                            sentence -> assertThat(sentence).startsWith("cannot listen on 127.0.0.1:80: this version"),
                            Index.atIndex(0))
                    .satisfies(
                            sentence -> assertThat(sentence).startsWith("cannot use the control socket " + root),
                            Index.atIndex(1));
            assertThatThrownBy(host::alone)
                    .isInstanceOf(MachineFailure.class)
                    .hasMessageContaining("cannot listen on 127.0.0.1:80");
        }
    }
}
