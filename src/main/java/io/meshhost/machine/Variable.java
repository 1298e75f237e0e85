package io.meshhost.machine;

/** The settings of SPEC 0, each under the name of its environment variable. */
public enum Variable {
    ROOT("/"),
    BIN("/usr/bin/nox-mesh-host"),
    LIBEXEC("/usr/lib/nox-mesh-host"),
    STATE_DIR("/var/lib/mesh-host"),
    DAEMONS_DIR("/var/lib/mesh/daemons"),
    DATA_DIR("/var/lib/mesh/data"),
    UNIT_DIR("/etc/systemd/system"),
    /** Without a value of its own: which of two files stands there decides. */
    DECLARATION(""),
    CONTROL("/run/mesh-host/control.sock"),
    HTTP_LISTEN(""),
    /** Seconds from one look for drift to the next. */
    RECONCILE_EVERY("600"),
    START_LIMIT("3"),
    BACKOFF("5"),
    START_TIMEOUT("300"),
    STOP_TIMEOUT("90");

    private final String standard;

    Variable(String standard) {
        this.standard = standard;
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
