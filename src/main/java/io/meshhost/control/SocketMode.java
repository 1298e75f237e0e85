package io.meshhost.control;

import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.OwnSocket;
import io.quarkus.vertx.http.DomainSocketServerStart;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.ObservesAsync;
import java.nio.file.Path;
import org.jboss.logging.Logger;

/**
 * Makes the control socket 0600. It comes some milliseconds after the bind, so the directory is 0700 before it (see
 * {@link io.meshhost.machine.SocketPlace}): this is the second lock, for the day when somebody opens the directory.
 */
@ApplicationScoped
public class SocketMode {
    private static final Logger LOG = Logger.getLogger(SocketMode.class);

    /** Quarkus fires this event asynchronously only. */
    void bound(@ObservesAsync DomainSocketServerStart event) {
        try {
            OwnSocket.closeToOthers(Path.of(event.options().getHost()));
        } catch (MachineFailure failure) {
            LOG.warn(failure.sentence());
        }
    }
}
