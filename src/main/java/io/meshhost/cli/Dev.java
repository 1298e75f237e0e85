package io.meshhost.cli;

import io.meshhost.control.ControlClient;
import io.quarkus.runtime.LaunchMode;
import java.nio.file.Path;

/** What is different under {@code ./mvnw quarkus:dev}, where one process lives through many daemons. */
final class Dev {
    private Dev() {}

    static boolean on() {
        return LaunchMode.current() == LaunchMode.DEVELOPMENT;
    }

    /** Quarkus keeps its listener from one daemon to the next; who answers is then this very process. */
    static boolean keepsListening(Path socket) {
        return on() && new ControlClient(socket).running();
    }

    /** The end of a daemon ends the process, but for the one that is to run the next daemon. */
    static void end(int code) {
        if (!on()) {
            System.exit(code);
        }
    }
}
