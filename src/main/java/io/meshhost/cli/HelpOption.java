package io.meshhost.cli;

import picocli.CommandLine.Option;

/** The option that every command has; picocli acts on it. */
final class HelpOption {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    boolean help;
}
