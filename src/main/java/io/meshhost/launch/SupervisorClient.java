package io.meshhost.launch;

import io.meshhost.machine.OwnSocket;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Asks a running supervisor how it is, on its socket: it answers also where no disk takes its status. */
public final class SupervisorClient {
    private static final int LARGEST = 1 << 20;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private SupervisorClient() {}

    /**
     * @param control the control socket, beside which the supervisor's lies
     * @return JSON, as {@link SupervisorStatus}; empty: none answers
     */
    public static Optional<String> ask(Path control) {
        byte[] question = "status\n".getBytes(StandardCharsets.UTF_8);
        try {
            byte[] answer = OwnSocket.ask(Means.socketBeside(control), question, LARGEST, PATIENCE);
            return Optional.of(new String(answer, StandardCharsets.UTF_8).strip())
                    .filter(text -> !text.isEmpty());
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
