package io.meshhost.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.meshhost.converge.Host;
import java.util.List;
import picocli.CommandLine.Option;

/** A command that tells the supervisor which version to run: it changes a file, and the host stands aside by itself. */
abstract class SteeringCommand extends HostCommand {
    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    SteeringCommand(World world) {
        super(world);
    }

    /** Does it, and says what it did in a sentence. */
    abstract String steer(Host host);

    @Override
    public final Integer call() {
        try (Host host = open()) {
            String done = steer(host);
            console()
                    .lines(List.of(
                            json
                                    ? JsonNodeFactory.instance
                                            .objectNode()
                                            .put("ok", true)
                                            .put("done", done)
                                            .toString()
                                    : done));
            return ExitCode.DONE.number();
        }
    }
}
