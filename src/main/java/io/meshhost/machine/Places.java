package io.meshhost.machine;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where everything is (SPEC 0). All paths here are real ones: {@code root} is already before them.
 *
 * @param root {@code /}, or the directory of {@code --root}, under which all others and every
 *     declared path lie
 * @param declaration what to apply; it may lie outside the root
 */
public record Places(
        Path root,
        Path stateDir,
        Path daemonsDir,
        Path unitDir,
        Path libexec,
        Path control,
        Optional<Path> declaration) {

    /** Whether this is the machine itself, not a scratch root: accounts, units and packages may be touched. */
    public boolean wholeMachine() {
        return root.getNameCount() == 0;
    }

    /** A declared, absolute path as it is on this disk. */
    public Path real(Path declared) {
        return wholeMachine() ? declared : root.resolve(Path.of("/").relativize(declared));
    }

    /** The reverse of {@link #real}: how the declaration calls it. */
    public Path declared(Path real) {
        return wholeMachine() || !real.startsWith(root) ? real : Path.of("/").resolve(root.relativize(real));
    }

    public Path database() {
        return stateDir.resolve("record.db");
    }

    public Path bundles() {
        return stateDir.resolve("bundles");
    }
}
