package io.meshhost.apply;

import io.meshhost.machine.Places;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Where a process of a name lives on the disk.
 *
 * <p>The names beside the tree are fixed: an apply that was cut off is understood by the next one from what
 * stands under them alone, together with the notes of its row ({@link ProcessNotes}).
 */
record ProcessHome(Places places, String name) {
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9_.-]{0,63}");

    /** Whether the name stays a unit's name and one folder of ours: what the record says is not trusted blindly. */
    boolean safe() {
        return safe(name);
    }

    static boolean safe(String name) {
        return NAME.matcher(name).matches();
    }

    /** The unpacked bundle, the working directory of the process. */
    Path tree() {
        return places.daemonsDir().resolve(name);
    }

    /** What is being unpacked, or was swapped out as bad: never trusted, always deleted. */
    Path fresh() {
        return places.daemonsDir().resolve("." + name + ".mesh-new");
    }

    /** The last bundle that was known to work, while its successor is on trial. */
    Path aside() {
        return places.daemonsDir().resolve("." + name + ".mesh-old");
    }

    /** Secrets of the process, an EnvironmentFile that only root reads. */
    Path secret() {
        return places.stateDir().resolve("secrets").resolve(name + ".env");
    }

    /** The secrets of the last version that was known to work. */
    Path secretAside() {
        return places.stateDir().resolve("secrets").resolve("." + name + ".env.mesh-old");
    }

    String service() {
        return name + ".service";
    }

    String timer() {
        return name + ".timer";
    }

    /** The timer first, so that it cannot start the service between the two. */
    List<String> units() {
        return List.of(timer(), service());
    }
}
