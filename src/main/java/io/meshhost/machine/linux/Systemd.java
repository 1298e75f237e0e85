package io.meshhost.machine.linux;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Tells systemd how its service is, as sd_notify(3) does; does nothing where nobody asked to be told.
 *
 * <p>Not thread-safe: one loop speaks.
 */
public final class Systemd {
    /** Taken out of the environment of whatever we start: only the main process may speak for the service. */
    public static final String SOCKET = "NOTIFY_SOCKET";

    public static final String WATCHDOG = "WATCHDOG_USEC";
    public static final String WATCHDOG_PID = "WATCHDOG_PID";

    private final Optional<String> socket;
    private final Optional<Duration> watchdog;
    private Optional<Libc> libc = Optional.empty();

    /**
     * @param environment of this process
     * @param pid of this process
     */
    public Systemd(Map<String, String> environment, long pid) {
        this.socket = Optional.ofNullable(environment.get(SOCKET))
                .filter(name -> name.startsWith("/") || name.startsWith("@"))
                .filter(name -> name.length() > 1);
        this.watchdog = socket.flatMap(_ -> watchdog(environment, pid));
    }

    /** sd_watchdog_enabled(3): only when it is meant for this process. */
    private static Optional<Duration> watchdog(Map<String, String> environment, long pid) {
        String micros = environment.getOrDefault(WATCHDOG, "");
        String whom = environment.getOrDefault(WATCHDOG_PID, Long.toString(pid));
        return micros.matches("[1-9][0-9]{0,17}") && whom.equals(Long.toString(pid))
                ? Optional.of(Duration.ofNanos(Math.multiplyExact(Long.parseLong(micros), 1000L)))
                : Optional.empty();
    }

    public boolean listens() {
        return socket.isPresent();
    }

    /** Within this {@code WATCHDOG=1} must come; empty: it is not wanted. */
    public Optional<Duration> watchdog() {
        return watchdog;
    }

    /**
     * Sends the assignments in one datagram, one a line, as {@code READY=1}. What cannot be delivered is lost, as with
     * sd_notify(3): a supervisor that stopped for that would be worse than one that is silent.
     */
    public boolean tell(String... assignments) {
        if (socket.isEmpty()) {
            return false;
        }
        Libc functions = libc.orElseGet(Libc::new);
        libc = Optional.of(functions);
        int descriptor = functions.socket(Libc.SOCK_DGRAM);
        if (descriptor < 0) {
            return false;
        }
        try {
            return functions.send(descriptor, String.join("\n", assignments), socket.get());
        } finally {
            functions.close(descriptor);
        }
    }
}
