package io.meshhost.cli;

import java.util.List;
import picocli.AutoComplete;
import picocli.CommandLine.Command;

/** {@code completion}: for bash, and for zsh with bashcompinit. */
@Command(
        name = "completion",
        description = "Prints a script that completes this program's commands and options in bash and zsh.",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExample:%n",
        footer = "  source <(nox-mesh-host completion)")
final class CompletionCommand extends PlainCommand {
    CompletionCommand(World world) {
        super(world);
    }

    @Override
    List<String> print() {
        return AutoComplete.bash("nox-mesh-host", Top.commandLine(world))
                .lines()
                .toList();
    }
}
