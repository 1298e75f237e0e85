package io.meshhost.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code nox-mesh-host}: names the commands. */
@Command(
        name = "nox-mesh-host",
        description = "Makes this machine what its declaration says, and keeps it so.",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%n",
        footer = {
            "The host listens on no TCP port, and connects to nothing but the bundle sources and",
            "health addresses that its declaration names.",
            "",
            "Exit status: 0 done, 1 the work failed, 2 the call is wrong or FILE cannot be read,",
            "3 the declaration is refused, 4 pending changes (plan --exit-code),",
            "5 the host is not running and 6 it is halted (status).",
            "",
            "Example, as any user, touching nothing but ./scratch:",
            "  nox-mesh-host apply --root ./scratch examples/quickstart.yaml"
        })
final class Top implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before it runs
    private CommandSpec spec;

    @Mixin
    final HelpOption help = new HelpOption();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }

    /** The whole command line, its commands made by hand: no reflection beyond picocli's own, no container. */
    static CommandLine commandLine(World world) {
        CommandLine line = new CommandLine(new Top())
                .addSubcommand(new RunCommand(world))
                .addSubcommand(new LaunchCommand())
                .addSubcommand(new ValidateCommand(world))
                .addSubcommand(new PlanCommand(world))
                .addSubcommand(new ApplyCommand(world))
                .addSubcommand(new SchemaCommand(world))
                .addSubcommand(new StatusCommand(world))
                .addSubcommand(new HistoryCommand(world))
                .addSubcommand(new VersionsCommand(world))
                .addSubcommand(new PinCommand(world))
                .addSubcommand(new UnpinCommand(world))
                .addSubcommand(new RollbackCommand(world))
                .addSubcommand(new ResumeCommand(world))
                .addSubcommand(new CompletionCommand(world))
                .addSubcommand(new VersionCommand(world))
                .addSubcommand(new CommandLine.HelpCommand());
        Console console = world.console();
        line.setOut(console.out());
        line.setErr(console.err());
        line.setColorScheme(CommandLine.Help.defaultColorScheme(
                console.colour() ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF));
        // "--root --json" is a mistake, not a directory called --json; "@x" is a word, not a file of words.
        line.setUnmatchedOptionsAllowedAsOptionParameters(false);
        line.setExpandAtFiles(false);
        line.setUsageHelpWidth(100);
        line.setParameterExceptionHandler(Failures::call);
        line.setExecutionExceptionHandler(Failures::work);
        return line;
    }
}
