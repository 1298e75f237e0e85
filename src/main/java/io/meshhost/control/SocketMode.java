package io.meshhost.control;

import io.meshhost.machine.Files;
import io.meshhost.machine.Probe;
import io.quarkus.vertx.http.DomainSocketServerStart;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.ObservesAsync;
import java.nio.file.Path;

/**
 * Makes the control socket 0600. It comes some milliseconds after the bind, so the directory is 0700 before it (see
 * {@link SocketPlace}): this is the second lock, for the day when somebody opens the directory.
 */
@ApplicationScoped
public class SocketMode {
    /** Quarkus fires this event asynchronously only. */
    void bound(@ObservesAsync DomainSocketServerStart event) {
        new Files(Path.of("/"), Probe.NONE).change(Path.of(event.options().getHost()), Files.Attributes.mode(0600));
    }
}
