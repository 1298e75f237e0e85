package io.meshhost.apply;

import io.meshhost.declaration.Resource.ProcessResource;
import java.util.Locale;

/** How a process is kept: up all the time, started by a timer, or run to its end once. */
enum ProcessForm {
    DAEMON,
    SCHEDULE,
    STEP;

    static ProcessForm of(ProcessResource resource) {
        if (resource.runOnce()) {
            return STEP;
        }
        return resource.schedule().isPresent() ? SCHEDULE : DAEMON;
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
