package io.meshhost.launch;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/** Asks a running supervisor how it is, on its socket: it answers also where no disk takes its status. */
public final class SupervisorClient {
    private static final int LARGEST = 1 << 20;

    private SupervisorClient() {}

    /**
     * @param control the control socket, beside which the supervisor's lies
     * @return JSON, as {@link SupervisorStatus}; empty: none answers
     */
    public static Optional<String> ask(Path control) {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(Means.socketBeside(control)))) {
            channel.write(ByteBuffer.wrap("status\n".getBytes(StandardCharsets.UTF_8)));
            String answer =
                    new String(Channels.newInputStream(channel).readNBytes(LARGEST), StandardCharsets.UTF_8).strip();
            return Optional.of(answer).filter(text -> !text.isEmpty());
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
