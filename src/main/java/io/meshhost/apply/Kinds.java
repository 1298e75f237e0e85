package io.meshhost.apply;

import io.meshhost.machine.Machine;
import java.time.ZoneId;
import java.util.List;

/** All kinds of resources that this host applies. */
public final class Kinds {
    private Kinds() {}

    /**
     * One of each, for the engine.
     *
     * @param arrivals told of versions of the host that arrive
     */
    public static List<Kind<?, ?>> all(Machine machine, Arrivals arrivals) {
        return List.of(
                new FileKind(machine.clock()),
                new DirectoryKind(machine.clock()),
                new ArchiveKind(machine.clock(), arrivals),
                new ServiceKind(),
                new UserKind(),
                new ProcessKind(machine.clock().withZone(ZoneId.systemDefault())));
    }
}
