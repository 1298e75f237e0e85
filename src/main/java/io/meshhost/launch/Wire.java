package io.meshhost.launch;

import io.meshhost.machine.Files;
import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.OwnSocket;
import io.meshhost.machine.SocketPlace;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The stream socket on which a host speaks to its supervisor, in lines: {@code ready}, {@code alive}; and on which
 * {@code status} is answered with what {@code supervisor.json} says, also where no disk takes that.
 */
final class Wire implements AutoCloseable {
    /** Who hears what is said. Called on threads of the wire's. */
    interface Listener {
        void connected();

        void ready();

        void alive();

        String status();
    }

    private static final int LONGEST_LINE = 1024;

    private final ServerSocketChannel server;
    private final Supplier<Listener> listeners;
    private final Path socket;
    private final Files files;

    private Wire(ServerSocketChannel server, Supplier<Listener> listeners, Path socket, Files files) {
        this.server = server;
        this.listeners = listeners;
        this.socket = socket;
        this.files = files;
    }

    /**
     * @param own uid of this program
     * @param listeners asked once a connection, so that what a host said last is never taken for its successor's word
     * @throws MachineFailure when nobody can be listened to there
     */
    static Wire open(Path socket, Files files, int own, Supplier<Listener> listeners) {
        SocketPlace.prepare(socket, files, own);
        try {
            ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            server.bind(UnixDomainSocketAddress.of(socket));
            OwnSocket.closeToOthers(socket);
            Wire wire = new Wire(server, listeners, socket, files);
            Thread.ofPlatform().daemon().name("wire").start(wire::accept);
            return wire;
        } catch (IOException e) {
            throw new MachineFailure("cannot listen on " + socket + ": " + e.getMessage(), e);
        }
    }

    private void accept() {
        while (server.isOpen()) {
            try {
                SocketChannel channel = server.accept();
                Listener listener = listeners.get();
                Thread.ofVirtual().name("host").start(() -> converse(channel, listener));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private static void converse(SocketChannel channel, Listener listener) {
        try (channel;
                BufferedReader in = new BufferedReader(
                        new InputStreamReader(Channels.newInputStream(channel), StandardCharsets.UTF_8),
                        LONGEST_LINE)) {
            for (String line = line(in); line != null; line = line(in)) {
                switch (line) {
                    case "ready" -> {
                        listener.connected();
                        listener.ready();
                    }
                    case "alive" -> {
                        listener.connected();
                        listener.alive();
                    }
                    case "status" -> {
                        channel.write(ByteBuffer.wrap(listener.status().getBytes(StandardCharsets.UTF_8)));
                        return;
                    }
                    default -> {
                        // A newer host says more than this supervisor knows.
                    }
                }
            }
        } catch (IOException e) {
            // The host went away; its end is told by its exit.
            return;
        }
    }

    /** Null at the end. Of a line that is too long nothing is kept: a host that rambles must not fill our memory. */
    private static @Nullable String line(BufferedReader in) throws IOException {
        StringBuilder line = new StringBuilder();
        int next = in.read();
        for (; next >= 0 && next != '\n'; next = in.read()) {
            if (line.length() < LONGEST_LINE) {
                line.append((char) next);
            }
        }
        return next < 0 && line.isEmpty() ? null : line.toString();
    }

    @Override
    public void close() {
        try {
            server.close();
            files.delete(socket);
        } catch (IOException | MachineFailure e) {
            // What is left is taken away by the next one that binds there.
            return;
        }
    }
}
