package io.meshhost.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhost.machine.MachineFailure;
import io.meshhost.testing.UnixServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("NullAway.Init")
class ControlClientTest {
    @TempDir
    Path dir;

    @Test
    void anAnswerIsItsStatusAndItsBody() throws IOException {
        Path socket = dir.resolve("s");
        CompletableFuture<String> asked = UnixServer.answering(
                socket, "HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n{\"state\":\"wöll\"}");
        assertThat(new ControlClient(socket).get("/v1/status"))
                .contains(new ControlClient.Answer(200, "{\"state\":\"wöll\"}"));
        assertThat(asked.join()).startsWith("GET /v1/status HTTP/1.0\r\n");
    }

    @Test
    void aBodyIsCountedInBytes() throws IOException {
        Path socket = dir.resolve("s");
        CompletableFuture<String> asked = UnixServer.answering(socket, "HTTP/1.0 422 Unprocessable\r\n\r\n{}");
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
        CompletableFuture<String> asked = UnixServer.answering(socket, "HTTP/1.0 20");
        assertThat(new ControlClient(socket).get("/v1/status")).isEmpty();
        assertThat(asked.join()).isNotEmpty();
    }

    @Test
    @Timeout(30)
    @SuppressWarnings("try")
    void aHostWhoseQueueIsFullIsSaidToHang() throws Exception {
        Path socket = dir.resolve("s");
        try (AutoCloseable full = UnixServer.full(socket)) {
            ControlClient client = new ControlClient(socket);
            assertThatThrownBy(() -> client.get("/v1/status"))
                    .isInstanceOf(MachineFailure.class)
                    .hasMessage(
                            "cannot ask the host on " + socket
                                    + ": its queue is full; if it stays so its supervisor ends it, else stop it and start it again");
            assertThatThrownBy(() -> client.post("/v1/apply", "{}")).hasMessageContaining("its queue is full");
            assertThat(client.running()).isTrue();
        }
    }

    @Test
    @Timeout(30)
    @SuppressWarnings("try")
    void oneThatNeverAnswersIsNotWaitedForForEver() throws Exception {
        Path socket = dir.resolve("s");
        try (AutoCloseable deaf = UnixServer.deaf(socket)) {
            assertThatThrownBy(() -> new ControlClient(socket, Duration.ofSeconds(1)).get("/v1/status"))
                    .hasMessageStartingWith("cannot ask the host on " + socket + ": it said nothing for 1 s; ");
        }
    }
}
