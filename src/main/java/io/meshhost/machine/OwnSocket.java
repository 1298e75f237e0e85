package io.meshhost.machine;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/** A unix socket that this program has bound, or may bind. */
public final class OwnSocket {
    private OwnSocket() {}

    /** Whether somebody listens there. */
    public static boolean answers(Path socket) {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            return channel.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Gives it mode 0600. {@link io.meshhost.machine.Files#change} cannot: without following, the JDK opens what it
     * changes, and a socket cannot be opened. So the name is followed here, in a directory that is ours alone only.
     *
     * @throws MachineFailure where others may enter the directory, or it is no socket
     */
    public static void closeToOthers(Path socket) {
        Path directory =
                Optional.ofNullable(socket.toAbsolutePath().getParent()).orElse(socket);
        try {
            Optional<Stat> at = Stats.lstat(directory);
            boolean ours = at.filter(stat -> stat.uid() == Self.read().uid() && (stat.mode() & 077) == 0)
                    .isPresent();
            if (!ours
                    || Stats.lstat(socket)
                            .filter(stat -> stat.type() == Stat.Type.OTHER)
                            .isEmpty()) {
                throw new MachineFailure(
                        "cannot close " + socket + " to others: it is no socket in a directory of ours alone;"
                                + " give its directory mode 0700");
            }
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
        } catch (IOException e) {
            throw new MachineFailure("cannot close " + socket + " to others: " + e.getMessage(), e);
        }
    }
}
