package io.meshhost.machine;

/** The settings of SPEC 0, each under the name of its environment variable. */
public enum Variable {
    ROOT(Form.OTHER, "/"),
    BIN(Form.PLACE, "/usr/bin/nox-mesh-host"),
    LIBEXEC(Form.PLACE, "/usr/lib/nox-mesh-host"),
    STATE_DIR(Form.PLACE, "/var/lib/mesh-host"),
    DAEMONS_DIR(Form.PLACE, "/var/lib/mesh/daemons"),
    DATA_DIR(Form.PLACE, "/var/lib/mesh/data"),
    UNIT_DIR(Form.PLACE, "/etc/systemd/system"),
    /** Without a value of its own: which of two files stands there decides. */
    DECLARATION(Form.OTHER, ""),
    CONTROL(Form.PLACE, "/run/mesh-host/control.sock"),
    /** Set by the supervisor for its host: the socket on which it listens. */
    LAUNCHER(Form.OTHER, ""),
    /** Set by the supervisor for its host: which delivered version it is; where its files lie need not tell. */
    VERSION(Form.OTHER, ""),
    /** Set by the supervisor for its host, on a disk that takes no rejection: what it has given up, in its words. */
    GIVEN_UP(Form.OTHER, ""),
    HTTP_LISTEN(Form.OTHER, ""),
    /** From one look for drift to the next; more often than every second would be a busy loop. */
    RECONCILE_EVERY(Form.SECONDS_FROM_1, "600"),
    START_LIMIT(Form.COUNT, "3"),
    BACKOFF(Form.SECONDS, "5"),
    START_TIMEOUT(Form.SECONDS, "300"),
    STOP_TIMEOUT(Form.SECONDS, "90");

    /** What a value must be. */
    enum Form {
        /** An absolute path. */
        PLACE,
        /** Decimals allowed, 0 too. */
        SECONDS,
        /** As {@link #SECONDS}, at least one of them. */
        SECONDS_FROM_1,
        /** A whole number, at least 1. */
        COUNT,
        /** Read in a way of its own. */
        OTHER
    }

    private final Form form;
    private final String standard;

    Variable(Form form, String standard) {
        this.form = form;
        this.standard = standard;
    }

    Form form() {
        return form;
    }

    /** {@code MESH_HOST_STATE_DIR} and so on. */
    public String variable() {
        return "MESH_HOST_" + name();
    }

    /** What counts when nobody says otherwise. */
    public String standard() {
        return standard;
    }
}
