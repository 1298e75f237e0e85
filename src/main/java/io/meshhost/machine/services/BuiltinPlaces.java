package io.meshhost.machine.services;

import io.meshhost.machine.Places;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What the built-in supervisor keeps on disk, all in one directory of the state directory.
 *
 * @param directory {@code STATE/processes}, 0700
 */
record BuiltinPlaces(Path directory) {
    private static final String SERVICE = ".service";
    private static final String TIMER = ".timer";
    private static final String DESCRIPTION = ".json";

    static BuiltinPlaces of(Places places) {
        return new BuiltinPlaces(places.stateDir().resolve("processes"));
    }

    static String service(String name) {
        return name + SERVICE;
    }

    static String timer(String name) {
        return name + TIMER;
    }

    static boolean isTimer(String unit) {
        return unit.endsWith(TIMER);
    }

    /** The process that a unit belongs to. */
    static String nameOf(String unit) {
        if (unit.endsWith(SERVICE)) {
            return unit.substring(0, unit.length() - SERVICE.length());
        }
        return isTimer(unit) ? unit.substring(0, unit.length() - TIMER.length()) : unit;
    }

    /** The file that describes a unit, as its unit file does for systemd. */
    Path description(String unit) {
        return directory.resolve(unit + DESCRIPTION);
    }

    /** The name of the process, where the file describes a service. */
    static Optional<String> described(Path file) {
        String name = String.valueOf(file.getFileName());
        String suffix = SERVICE + DESCRIPTION;
        return name.endsWith(suffix)
                ? Optional.of(name.substring(0, name.length() - suffix.length()))
                : Optional.empty();
    }

    /** There, and empty: the unit starts with the host. */
    Path enabled(String unit) {
        return directory.resolve(unit + ".enabled");
    }

    /** When a timer last fired. */
    Path stamp(String name) {
        return directory.resolve(name + ".stamp");
    }

    Path log(String name) {
        return directory.resolve(name + ".log");
    }

    Path oldLog(String name) {
        return directory.resolve(name + ".log.1");
    }

    /** Who runs, and as what. */
    Path running() {
        return directory.resolve("running.json");
    }

    /** What may be left of a process besides its descriptions. */
    List<Path> traces(String name) {
        return List.of(enabled(service(name)), enabled(timer(name)), stamp(name), log(name), oldLog(name));
    }

    /** The name of the process that a trace is of. */
    static Optional<String> traced(Path file) {
        String name = String.valueOf(file.getFileName());
        return List.of(SERVICE + ".enabled", TIMER + ".enabled", ".stamp", ".log", ".log.1").stream()
                .filter(name::endsWith)
                .map(suffix -> name.substring(0, name.length() - suffix.length()))
                .findFirst();
    }
}
