package io.meshhost.machine.linux;

import java.util.Optional;

/**
 * An abstract unix socket (unix(7)) that nobody connects to: its name is held as a lock, without a file, until the process
 * ends however that happens.
 */
public final class AbstractName implements AutoCloseable {
    private final Libc libc;
    private final int descriptor;

    private AbstractName(Libc libc, int descriptor) {
        this.libc = libc;
        this.descriptor = descriptor;
    }

    /** Empty when somebody holds it. */
    public static Optional<AbstractName> hold(String name) {
        Libc libc = new Libc();
        int descriptor = libc.socket(Libc.SOCK_STREAM);
        if (descriptor >= 0 && libc.bind(descriptor, "@" + name)) {
            return Optional.of(new AbstractName(libc, descriptor));
        }
        if (descriptor >= 0) {
            libc.close(descriptor);
        }
        return Optional.empty();
    }

    @Override
    public void close() {
        libc.close(descriptor);
    }
}
