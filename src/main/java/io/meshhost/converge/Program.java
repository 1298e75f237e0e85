package io.meshhost.converge;

import io.meshhost.machine.Looks;
import java.nio.file.Path;
import java.util.Optional;

/** Where the program that runs lies: the executable itself, or the folder of the JVM application. */
final class Program {
    /** Set by the start script of the JVM application. */
    private static final String APPLICATION = "mesh-host.app";

    private Program() {}

    static Path path() {
        return Optional.ofNullable(System.getProperty(APPLICATION))
                .or(() -> ProcessHandle.current().info().command())
                .map(Path::of)
                .map(Looks::real)
                .orElse(Path.of("/"));
    }

    /** Whether the command, or what it links to, is the program: its script lies beside the application's folder, or one deeper. */
    static boolean of(Path command, Path program) {
        Path real = Looks.real(command);
        Optional<Path> folder = Optional.ofNullable(real.getParent());
        return program.equals(real)
                || folder.filter(beside -> beside.equals(program.getParent())).isPresent()
                || folder.map(Path::getParent)
                        .filter(above -> above.equals(program.getParent()))
                        .isPresent();
    }
}
