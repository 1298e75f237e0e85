package io.meshhost.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("NullAway.Init")
class ControlClientTest {
    @TempDir
    Path dir;

    /** Answers one request with the given bytes and gives what was asked. */
    private static CompletableFuture<String> answer(Path socket, String answer) throws IOException {
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
                throw new java.io.UncheckedIOException(e);
            }
        });
    }

    @Test
    void anAnswerIsItsStatusAndItsBody() throws IOException {
        Path socket = dir.resolve("s");
        CompletableFuture<String> asked =
                answer(socket, "HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n{\"state\":\"wöll\"}");
        assertThat(new ControlClient(socket).get("/v1/status"))
                .contains(new ControlClient.Answer(200, "{\"state\":\"wöll\"}"));
        assertThat(asked.join()).startsWith("GET /v1/status HTTP/1.0\r\n");
    }

    @Test
    void aBodyIsCountedInBytes() throws IOException {
        Path socket = dir.resolve("s");
        CompletableFuture<String> asked = answer(socket, "HTTP/1.0 422 Unprocessable\r\n\r\n{}");
        assertThat(new ControlClient(socket).post("/v1/apply", "{\"ä\":1}").map(ControlClient.Answer::ok))
                .contains(false);
        assertThat(asked.join()).contains("Content-Length: 8\r\n").endsWith("{\"ä\":1}");
    }

    @Test
    void nobodyThereIsNoAnswer() {
        assertThat(new ControlClient(dir.resolve("none")).get("/v1/status")).isEmpty();
        assertThat(new ControlClient(dir.resolve("none")).running()).isFalse();
    }

    @Test
    void anAnswerThatBreaksOffIsNone() throws IOException {
        Path socket = dir.resolve("s");
        CompletableFuture<String> asked = answer(socket, "HTTP/1.0 20");
        assertThat(new ControlClient(socket).get("/v1/status")).isEmpty();
        assertThat(asked.join()).isNotEmpty();
    }
}
