package io.meshhost.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Somebody who listens on a unix socket. */
public final class UnixServer {
    private UnixServer() {}

    /** Answers one request with the given text and gives what was asked. */
    public static CompletableFuture<String> answering(Path socket, String answer) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(socket));
        return CompletableFuture.supplyAsync(() -> {
            try (server;
                    SocketChannel channel = server.accept()) {
                ByteBuffer buffer = ByteBuffer.allocate(4096);
                channel.read(buffer);
                channel.write(ByteBuffer.wrap(answer.getBytes(StandardCharsets.UTF_8)));
                return new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** Accepts nothing, as one that hangs; whoever connects waits in its queue. */
    public static AutoCloseable deaf(Path socket) throws IOException {
        return ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(socket), 1);
    }

    /** As {@link #deaf}, and its queue is full. */
    public static AutoCloseable full(Path socket) throws IOException {
        List<AutoCloseable> all = new ArrayList<>(List.of(deaf(socket)));
        for (boolean queued = true; queued; ) {
            SocketChannel client = SocketChannel.open(StandardProtocolFamily.UNIX);
            all.add(client);
            client.configureBlocking(false);
            queued = connects(client, socket);
        }
        return () -> {
            for (AutoCloseable one : all) {
                one.close();
            }
        };
    }

    private static boolean connects(SocketChannel client, Path socket) {
        try {
            return client.connect(UnixDomainSocketAddress.of(socket));
        } catch (IOException full) {
            return false;
        }
    }
}
