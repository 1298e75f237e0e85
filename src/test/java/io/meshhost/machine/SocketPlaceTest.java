package io.meshhost.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("NullAway.Init")
class SocketPlaceTest {
    private final int own = new SystemAccounts(new SystemCommands()).ownUid();

    @TempDir
    Path dir;

    private void prepare(Path socket) {
        SocketPlace.prepare(socket, new io.meshhost.machine.Files(dir, Probe.NONE), own);
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private Path directory(String name) throws IOException {
        Path made = Files.createDirectory(dir.resolve(name));
        return Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void theDirectoryIsMadeForUsAlone() throws IOException {
        prepare(dir.resolve("run/mesh-host/control.sock"));
        assertThat(mode(dir.resolve("run/mesh-host"))).isEqualTo("rwx------");
        assertThat(mode(dir.resolve("run"))).isEqualTo("rwxr-xr-x");
    }

    @Test
    void aSocketThatAKilledHostLeftIsRemoved() throws IOException {
        Path socket = dir.resolve("mesh-host/s");
        prepare(socket);
        try (ServerSocketChannel left = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            left.bind(UnixDomainSocketAddress.of(socket));
        }
        assertThat(socket).exists();
        prepare(socket);
        assertThat(socket).doesNotExist();
    }

    @Test
    void aSocketOnWhichAHostAnswersIsLeft() throws IOException {
        Path socket = dir.resolve("mesh-host/s");
        prepare(socket);
        try (ServerSocketChannel host = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            host.bind(UnixDomainSocketAddress.of(socket));
            assertThatThrownBy(() -> prepare(socket))
                    .isInstanceOf(MachineFailure.class)
                    .hasMessageContaining("another host answers");
            assertThat(socket).exists();
        }
    }

    @Test
    void whatIsNoSocketIsLeft() throws IOException {
        Path socket = dir.resolve("mesh-host/s");
        prepare(socket);
        Files.writeString(socket, "mine");
        assertThatThrownBy(() -> prepare(socket)).hasMessageContaining("something else has that name");
        assertThat(socket).hasContent("mine");
    }

    @Test
    void aDirectoryThatOthersMayEnterIsRefused() throws IOException {
        Path open = directory("open");
        assertThatThrownBy(() -> prepare(open.resolve("s"))).hasMessageContaining("MESH_HOST_CONTROL");
        assertThat(mode(open)).isEqualTo("rwxr-xr-x");
    }

    @Test
    void theDirectoryThatSystemdMadeForUsIsClosed() throws IOException {
        Path made = directory("mesh-host");
        prepare(made.resolve("s"));
        assertThat(mode(made)).isEqualTo("rwx------");
    }

    @Test
    void aPathThatIsTooLongNamesTheLimitAndTheVariable() {
        assertThatThrownBy(() -> prepare(dir.resolve("x".repeat(100) + "/control.sock")))
                .hasMessageContaining("107 bytes")
                .hasMessageContaining("MESH_HOST_CONTROL");
    }

    @Test
    void onlyASocketInADirectoryOfOursIsClosedToOthers() throws IOException {
        Path socket = dir.resolve("mesh-host/s");
        prepare(socket);
        try (ServerSocketChannel host = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            host.bind(UnixDomainSocketAddress.of(socket));
            OwnSocket.closeToOthers(socket);
            assertThat(mode(socket)).isEqualTo("rw-------");
        }
        Path file = Files.writeString(dir.resolve("mesh-host/f"), "");
        assertThatThrownBy(() -> OwnSocket.closeToOthers(file)).isInstanceOf(MachineFailure.class);
    }
}
