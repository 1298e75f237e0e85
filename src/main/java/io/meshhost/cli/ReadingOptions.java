package io.meshhost.cli;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;

/** The options of every command that reads a declaration, the daemon's among them. */
final class ReadingOptions {
    @Option(
            names = "--trust-file",
            description = "Take a declaration that others than root may write (matters to root only).")
    private boolean trustFile;

    @Option(
            names = "--artifact",
            paramLabel = "NAME=PATH",
            description = "Use this file for the artifact that is not published. Repeatable.")
    private Map<String, Path> artifacts = new LinkedHashMap<>();

    boolean trustFile() {
        return trustFile;
    }

    /** By name, absolute. */
    Map<String, Path> artifacts() {
        Map<String, Path> absolute = new LinkedHashMap<>();
        artifacts.forEach((name, path) -> absolute.put(name, HostCommand.absolute(path)));
        return absolute;
    }
}
