package io.meshhost.control;

import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.OwnSocket;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Asks the running host over its control socket, with the JDK's own channel: a short command must not pay for an
 * HTTP client. HTTP/1.0 (RFC 1945), so that an answer has no chunks and ends where the connection does.
 */
public final class ControlClient {
    private static final int LARGEST = 64 << 20;

    /** It answers from memory; this is for a machine that has no time for it. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Path socket;
    private final Duration patience;

    public ControlClient(Path socket) {
        this(socket, PATIENCE);
    }

    ControlClient(Path socket, Duration patience) {
        this.socket = socket;
        this.patience = patience;
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

    /**
     * Empty when nobody listens, or the one that did went away before it answered.
     *
     * @throws MachineFailure when it hangs
     */
    public Optional<Answer> get(String path) {
        return ask("GET " + path + " HTTP/1.0\r\nHost: localhost\r\nAccept: application/json\r\n\r\n", patience);
    }

    /** As {@link #get}; waits as long as the host works on it. */
    public Optional<Answer> post(String path, String json) {
        int length = json.getBytes(StandardCharsets.UTF_8).length;
        return ask(
                "POST " + path + " HTTP/1.0\r\nHost: localhost\r\nAccept: application/json\r\n"
                        + "Content-Type: application/json\r\nContent-Length: " + length + "\r\n\r\n" + json,
                Duration.ZERO);
    }

    private Optional<Answer> ask(String request, Duration limit) {
        try {
            byte[] answer = OwnSocket.ask(socket, request.getBytes(StandardCharsets.UTF_8), LARGEST, limit);
            return parse(new String(answer, StandardCharsets.UTF_8));
        } catch (OwnSocket.Hangs e) {
            throw new MachineFailure(
                    "cannot ask the host on " + socket + ": " + e.getMessage()
                            + "; if it stays so its supervisor ends it, else stop it and start it again",
                    e);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Optional<Answer> parse(String text) {
        int body = text.indexOf("\r\n\r\n");
        if (!text.startsWith("HTTP/1.") || body < 0 || text.length() < 12) {
            return Optional.empty();
        }
        return Optional.of(new Answer(Integer.parseInt(text.substring(9, 12)), text.substring(body + 4)));
    }
}
