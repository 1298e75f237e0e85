package io.meshhost.machine.services;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What the supervisor says of one unit, as systemctl show(1) words it; the built-in supervisor says
 * the same of its own.
 *
 * @param unit with its suffix
 * @param result systemd.exec(5) Result=, "success" when nothing failed, "start-limit-hit" and so on
 * @param type systemd.service(5) Type=, empty for what is not a service
 * @param fragment the unit file that counts
 * @param restarts NRestarts=
 */
public record ServiceState(
        String unit,
        Load load,
        Active active,
        String subState,
        Enabled enabled,
        String result,
        String type,
        boolean remainsAfterExit,
        int mainPid,
        int restarts,
        Optional<Path> fragment) {

    /** LoadState=. */
    public enum Load {
        LOADED,
        NOT_FOUND,
        MASKED,
        BAD_SETTING,
        ERROR
    }

    /** ActiveState=. */
    public enum Active {
        ACTIVE,
        RELOADING,
        INACTIVE,
        FAILED,
        ACTIVATING,
        DEACTIVATING
    }

    /** UnitFileState=, the ten answers of systemctl(1) is-enabled, and NONE where it gives none. */
    public enum Enabled {
        ENABLED,
        ENABLED_RUNTIME,
        LINKED,
        LINKED_RUNTIME,
        ALIAS,
        MASKED,
        MASKED_RUNTIME,
        STATIC,
        INDIRECT,
        DISABLED,
        GENERATED,
        TRANSIENT,
        BAD,
        NONE
    }

    public boolean exists() {
        return load != Load.NOT_FOUND;
    }

    public boolean running() {
        return active == Active.ACTIVE || active == Active.RELOADING || active == Active.ACTIVATING;
    }

    public static ServiceState absent(String unit) {
        return new ServiceState(
                unit,
                Load.NOT_FOUND,
                Active.INACTIVE,
                "dead",
                Enabled.NONE,
                "success",
                "",
                false,
                0,
                0,
                Optional.empty());
    }
}
