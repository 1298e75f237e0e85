package io.meshhost.apply;

import io.meshhost.machine.services.ServiceState.Enabled;
import java.util.Locale;

/** What the answers of {@code systemctl is-enabled} mean for somebody who declares true or false. */
final class Enablement {
    private Enablement() {}

    /** is-enabled says ten things; only these keep it on across a boot by somebody's will (systemctl(1), table 2). */
    static boolean on(Enabled enabled) {
        return switch (enabled) {
            case ENABLED, ALIAS -> true;
            case ENABLED_RUNTIME,
                    LINKED,
                    LINKED_RUNTIME,
                    MASKED,
                    MASKED_RUNTIME,
                    STATIC,
                    INDIRECT,
                    DISABLED,
                    GENERATED,
                    TRANSIENT,
                    BAD,
                    NONE -> false;
        };
    }

    /** A link under /run enables too, until the next boot: disabled means that there is none of either. */
    static boolean anyLink(Enabled enabled) {
        return on(enabled) || enabled == Enabled.ENABLED_RUNTIME;
    }

    static boolean settable(Enabled enabled) {
        return switch (enabled) {
            case ENABLED, ENABLED_RUNTIME, LINKED, LINKED_RUNTIME, ALIAS, INDIRECT, DISABLED -> true;
            case MASKED, MASKED_RUNTIME, STATIC, GENERATED, TRANSIENT, BAD, NONE -> false;
        };
    }

    static String word(Enabled enabled) {
        return enabled.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
