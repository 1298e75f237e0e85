package io.meshhost.cli;

import io.meshhost.converge.DeclarationPlace;
import io.meshhost.converge.Host;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What the commands that look at a machine have in common. */
abstract class HostCommand implements Callable<Integer> {
    @Mixin
    final HelpOption help = new HelpOption();

    @Option(
            names = {"-v", "--verbose"},
            description = "Show where a failure came from.")
    private boolean verbose;

    @Option(
            names = "--root",
            paramLabel = "DIR",
            description = "Put everything under DIR and leave the machine itself alone.")
    private @Nullable Path root;

    final World world;

    HostCommand(World world) {
        this.world = world;
    }

    final boolean verbose() {
        return verbose;
    }

    final Console console() {
        return world.console();
    }

    /** Overridden where a file is trusted unseen. */
    boolean trustFile() {
        return false;
    }

    /** Overridden where artifacts can be given. */
    Map<String, Path> artifacts() {
        return Map.of();
    }

    /** Overridden where another declaration can be named for the host itself. */
    Optional<Path> declaration() {
        return Optional.empty();
    }

    final Host.Choices choices() {
        return new Host.Choices(
                Optional.ofNullable(root).map(HostCommand::absolute), declaration(), trustFile(), artifacts());
    }

    /** Overridden where somebody else says what is wrong with the settings. */
    boolean complains() {
        return true;
    }

    final Host open() {
        Host host = world.hosts().open(choices());
        if (complains()) {
            host.complaints().forEach(sentence -> console().err().println("nox-mesh-host: " + sentence));
        }
        return host;
    }

    static Path absolute(Path path) {
        return path.toAbsolutePath().normalize();
    }

    /**
     * FILE, or where it is left out the machine's own declaration.
     *
     * @throws CallFailure when there is none, or standard input is meant
     */
    static Path file(@Nullable Path given, Host host) {
        if (given == null) {
            return switch (host.declarationPlace().find()) {
                case DeclarationPlace.Found.File(Path path) -> path;
                case DeclarationPlace.Found.Nothing(String sentence) -> throw CallFailure.usage(sentence);
            };
        }
        if (given.toString().equals("-")) {
            throw CallFailure.usage(
                    "cannot read a declaration from standard input: its sources are relative to its file; give a file");
        }
        return given;
    }
}
