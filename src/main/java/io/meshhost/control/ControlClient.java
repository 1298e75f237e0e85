package io.meshhost.control;

import io.meshhost.machine.OwnSocket;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Asks the running host over its control socket, with the JDK's own channel: a short command must not pay for an
 * HTTP client. HTTP/1.0 (RFC 1945), so that an answer has no chunks and ends where the connection does.
 */
public final class ControlClient {
    private static final int LARGEST = 64 << 20;

    private final Path socket;

    public ControlClient(Path socket) {
        this.socket = socket;
    }

    /** What came back. */
    public record Answer(int status, String body) {
        public boolean ok() {
            return status >= 200 && status < 300;
        }
    }

    /** Whether a host listens there. */
    public boolean running() {
        return OwnSocket.answers(socket);
    }

    /** Empty when nobody listens, or the one that did went away before it answered. */
    public Optional<Answer> get(String path) {
        return ask("GET " + path + " HTTP/1.0\r\nHost: localhost\r\nAccept: application/json\r\n\r\n");
    }

    /** As {@link #get}; waits as long as the host works on it. */
    public Optional<Answer> post(String path, String json) {
        int length = json.getBytes(StandardCharsets.UTF_8).length;
        return ask("POST " + path + " HTTP/1.0\r\nHost: localhost\r\nAccept: application/json\r\n"
                + "Content-Type: application/json\r\nContent-Length: " + length + "\r\n\r\n" + json);
    }

    private Optional<Answer> ask(String request) {
        try (SocketChannel channel = open()) {
            ByteBuffer out = ByteBuffer.wrap(request.getBytes(StandardCharsets.UTF_8));
            while (out.hasRemaining()) {
                channel.write(out);
            }
            return parse(readAll(channel));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private SocketChannel open() throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.connect(UnixDomainSocketAddress.of(socket));
            return channel;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private static String readAll(SocketChannel channel) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
        while (channel.read(buffer) >= 0 && all.size() < LARGEST) {
            all.write(buffer.array(), 0, buffer.position());
            buffer.clear();
        }
        return all.toString(StandardCharsets.UTF_8);
    }

    private static Optional<Answer> parse(String text) {
        int body = text.indexOf("\r\n\r\n");
        if (!text.startsWith("HTTP/1.") || body < 0 || text.length() < 12) {
            return Optional.empty();
        }
        return Optional.of(new Answer(Integer.parseInt(text.substring(9, 12)), text.substring(body + 4)));
    }
}
