package io.meshhost.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorOutputStream;
import org.apache.commons.compress.compressors.gzip.GzipParameters;
import org.asciidoctor.Asciidoctor;
import org.asciidoctor.Attributes;
import org.asciidoctor.Options;
import org.asciidoctor.SafeMode;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.codegen.docgen.manpage.ManPageGenerator;

/**
 * Makes what the Debian package holds besides the program, from the commands themselves: their man pages and the shell's
 * completion. Part of the package's build only (pom.xml, profile deb).
 */
public final class Pages {
    private Pages() {}

    /** Arguments: the directory to fill, the date of the pages, and files to compress into {@code doc/}. */
    public static void main(String[] args) throws IOException {
        Path out = Path.of(args[0]);
        World world = new World(Console.system(), Hosts::open, Clock.systemUTC(), Version.TEXT);
        CommandLine line = Top.commandLine(world);
        Files.createDirectories(out);
        // It is read by a shell, never run: no "#!" line.
        String completion = AutoComplete.bash("nox-mesh-host", line);
        Files.writeString(out.resolve("completion"), completion.substring(completion.indexOf('\n') + 1));
        manPages(line.getCommandSpec(), out, args[1]);
        for (String file : List.of(args).subList(2, args.length)) {
            compress(Path.of(file), out.resolve("doc").resolve(Path.of(file).getFileName() + ".gz"));
        }
    }

    private static void manPages(CommandSpec top, Path out, String date) throws IOException {
        Path sources = Files.createDirectories(out.resolve("adoc"));
        Path pages = Files.createDirectories(out.resolve("troff"));
        int status = ManPageGenerator.generateManPage(
                sources.toFile(), null, new boolean[0], false, everyOne(top).toArray(CommandSpec[]::new));
        if (status != 0) {
            throw new IllegalStateException("picocli could not write the man pages: status " + status);
        }
        Options options = Options.builder()
                .backend("manpage")
                .safe(SafeMode.UNSAFE)
                .toDir(pages.toFile())
                .attributes(Attributes.builder()
                        .attribute("docdate", date)
                        .attribute("manmanual", "mesh-host")
                        .attribute("mansource", "mesh-host " + Version.TEXT)
                        .build())
                .build();
        try (Asciidoctor asciidoctor = Asciidoctor.Factory.create()) {
            for (Path source : inside(sources)) {
                asciidoctor.convertFile(source.toFile(), options);
            }
        }
        for (Path page : inside(pages)) {
            compress(page, out.resolve("man").resolve(page.getFileName() + ".gz"));
        }
    }

    private static Stream<CommandSpec> everyOne(CommandSpec command) {
        return Stream.concat(
                Stream.of(command),
                command.subcommands().values().stream()
                        .map(CommandLine::getCommandSpec)
                        .flatMap(Pages::everyOne));
    }

    private static List<Path> inside(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.sorted().toList();
        }
    }

    /** As {@code gzip -9n}: neither name nor time, so that the same pages are the same bytes. */
    private static void compress(Path from, Path to) throws IOException {
        Files.createDirectories(to.getParent());
        GzipParameters parameters = new GzipParameters();
        parameters.setCompressionLevel(9);
        byte[] text = Files.readString(from).getBytes(StandardCharsets.UTF_8);
        try (GzipCompressorOutputStream gzip =
                new GzipCompressorOutputStream(Files.newOutputStream(to), parameters)) {
            gzip.write(text);
        }
    }
}
