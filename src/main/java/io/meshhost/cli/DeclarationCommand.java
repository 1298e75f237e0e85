package io.meshhost.cli;

import io.meshhost.control.Wire;
import io.meshhost.converge.Host;
import io.meshhost.declaration.Declaration;
import io.meshhost.declaration.Fault;
import io.meshhost.declaration.Reading;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What the commands have in common that read a declaration. */
abstract class DeclarationCommand extends HostCommand {
    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            description = "The declaration, JSON or YAML; without it, this machine's own.")
    private @Nullable Path file;

    @Mixin
    private final ReadingOptions reading = new ReadingOptions();

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    DeclarationCommand(World world) {
        super(world);
    }

    final boolean json() {
        return json;
    }

    final @Nullable Path given() {
        return file;
    }

    @Override
    final boolean trustFile() {
        return reading.trustFile();
    }

    @Override
    final Map<String, Path> artifacts() {
        return reading.artifacts();
    }

    /**
     * Reads the file; warnings go to stderr, faults too.
     *
     * @throws CallFailure exit 2 when it cannot be read, 3 when it is refused
     */
    final Declaration declaration(Host host, Path path) {
        Reading reading = host.read(path);
        tell(reading.faults());
        return reading.declaration().orElseThrow(() -> refused(path, reading.faults()));
    }

    final void tell(List<Fault> faults) {
        faults.forEach(console().err()::println);
        console().err().flush();
    }

    final CallFailure refused(Path path, List<Fault> faults) {
        if (json) {
            console().lines(List.of(Wire.faults(false, faults)));
        }
        return CallFailure.refused(io.meshhost.converge.Sentences.refused(path.toString(), faults));
    }
}
