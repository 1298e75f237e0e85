package io.meshhost.machine;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.util.HexFormat;

/**
 * Names of what stands beside a target while it is being written.
 *
 * <p>The name is fixed for each target, not random: after a power cut the next apply knows what to sweep
 * away without searching, and two cuts leave one file, not two.
 */
final class Temporary {
    private static final String SUFFIX = ".mesh-new";
    private static final int NAME_MAX = 255;

    private Temporary() {}

    /** {@code .NAME.mesh-new}; where that would pass NAME_MAX, a digest stands for the name. */
    static Path beside(Path target) {
        Path last = target.getFileName();
        String name = "." + last + SUFFIX;
        if (name.getBytes(UTF_8).length > NAME_MAX) {
            name = "." + digest(Walk.name(target)) + SUFFIX;
        }
        return target.resolveSibling(name);
    }

    /**
     * Where the temporary thing of a target lies: beside it, or, where others may replace its directory, in the last one
     * on the way that they cannot, under a digest of the whole path.
     */
    static Path of(Walk.Spot spot, Path target) {
        Path real = spot.at(target);
        return spot.shifting() ? spot.anchor().resolve("." + digest(real) + SUFFIX) : beside(real);
    }

    private static String digest(Path path) {
        return HexFormat.of().formatHex(Digests.sha256().digest(path.toString().getBytes(UTF_8)), 0, 16);
    }

    /** The file inside, where the temporary thing is a directory that only its owner can enter. */
    static Path inside(Path room) {
        return room.resolve("new");
    }

    static boolean isOurs(String path) {
        return path.contains(SUFFIX);
    }
}
