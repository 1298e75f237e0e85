package io.meshhost.cli;

import io.meshhost.control.ControlClient;
import io.meshhost.launch.Launcher;
import io.meshhost.machine.ExpectedFailure;
import io.meshhost.machine.Files;
import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.Probe;
import io.meshhost.machine.Settings;
import io.meshhost.machine.SystemTicker;
import io.meshhost.machine.Variable;
import io.quarkus.runtime.Quarkus;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine;

/**
 * One run through the short commands, the supervisor and the daemon, so that the JDK's AOT cache (JEP 514) knows their classes. It is
 * called by the start script with {@code training}, works under a scratch root of its own that it removes, listens on
 * a socket in there, starts no program but a script of one line, and says nothing when all is well.
 */
final class Training {
    private static final Duration LOOK = Duration.ofMillis(50);
    private static final Duration WITHIN = Duration.ofSeconds(60);

    private static final String DECLARATION = """
            serial: 1
            modules:
              - module: training
                version: "1"
                slug: training
                resources:
                  - {id: spool, type: directory, path: /srv/spool, mode: "0755"}
                  - {id: text, type: file, path: /srv/text, content: "text", after: [spool]}
                  - {id: template, type: file, path: /srv/template, template: "of ${node}\\n", mode: "0600"}
            """;

    private final Files files = new Files(Path.of("/"), Probe.NONE);
    private final Path root;
    private final String declaration;

    private Training(Path root) {
        this.root = root;
        this.declaration = root.resolve("training.yaml").toString();
    }

    /** The daemon is what {@link Main} runs; {@code ends} gets its exit code. */
    @FunctionalInterface
    interface Daemon {
        void run(java.util.function.IntConsumer ends, String... args);
    }

    /** Gives the exit code. */
    static int run(Daemon daemon) {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir", "/tmp")).toAbsolutePath();
        Training training = new Training(
                temporary.resolve("mesh-training-" + ProcessHandle.current().pid()));
        try {
            training.files.makeDirectory(training.root, Files.Attributes.mode(0700));
            try {
                training.commands();
                training.supervisor();
                return training.daemon(daemon);
            } finally {
                training.files.deleteTree(training.root);
                training.files.sync();
            }
        } catch (ExpectedFailure failure) {
            System.err.println("nox-mesh-host: " + failure.sentence());
            return ExitCode.FAILED.number();
        }
    }

    private void commands() {
        files.write(Path.of(declaration), DECLARATION.getBytes(StandardCharsets.UTF_8), Files.Attributes.mode(0600));
        expect(ExitCode.DONE, "version");
        expect(ExitCode.DONE, "schema");
        expect(ExitCode.DONE, "apply", "--help");
        for (String command : List.of("validate", "plan", "apply", "apply", "plan")) {
            expect(ExitCode.DONE, command, "--trust-file", "--root", root.toString(), declaration);
        }
        expect(ExitCode.DONE, "apply", "--json", "--trust-file", "--root", root.toString(), declaration);
        expect(ExitCode.DONE, "history", "--root", root.toString());
        expect(ExitCode.NOT_RUNNING, "status", "--root", root.toString());
    }

    /** A host that fails at once: it is started, waited for and counted, and that was it. */
    private void supervisor() {
        Path program = root.resolve("usr/bin/nox-mesh-host");
        for (Path parent : files.missingParents(program)) {
            files.makeDirectory(parent, Files.Attributes.mode(0700));
        }
        files.write(program, "#!/bin/sh\nexit 3\n".getBytes(StandardCharsets.UTF_8), Files.Attributes.mode(0700));
        Map<String, String> environment = Map.of("MESH_HOST_RUN_ONCE", "1");
        Settings settings = Settings.real(Map.of(Variable.ROOT, root.toString()), true);
        int code = supervise(Launcher.real(settings, environment, line -> {}));
        if (code != 3) {
            throw new MachineFailure("cannot train: the supervisor ended with " + code);
        }
    }

    private static int supervise(Launcher launcher) {
        try {
            return launcher.supervise();
        } catch (ExpectedFailure failure) {
            throw failure;
        } catch (Exception failure) {
            throw new IllegalStateException("the supervisor did not end as it should", failure);
        }
    }

    private static void expect(ExitCode expected, String... args) {
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        World world =
                new World(new Console(nowhere, nowhere, false, false), Hosts::open, Clock.systemUTC(), Version.TEXT);
        CommandLine line = Top.commandLine(world);
        int code = line.execute(args);
        if (code != expected.number()) {
            throw new MachineFailure("cannot train: " + String.join(" ", args) + " ended with " + code);
        }
    }

    private int daemon(Daemon daemon) {
        AtomicInteger code = new AtomicInteger(ExitCode.FAILED.number());
        // Nobody is to read of a daemon that lives for a second.
        System.setProperty("quarkus.log.category.\"io.meshhost\".level", "WARN");
        try (SystemTicker ticker = new SystemTicker()) {
            look(ticker, ticker.nanos() + WITHIN.toNanos());
            daemon.run(code::set, "run", "--trust-file", "--root", root.toString(), "--declaration", declaration);
        }
        return code.get();
    }

    /** Asks until the first reconcile is done; then everything that a person asks, once; then the end. */
    private void look(SystemTicker ticker, long end) {
        ticker.after(LOOK, () -> {
            ControlClient client = new ControlClient(root.resolve("run/mesh-host/control.sock"));
            boolean ready = client.get("/q/health/ready")
                    .filter(ControlClient.Answer::ok)
                    .isPresent();
            if (!ready && ticker.nanos() < end) {
                look(ticker, end);
                return;
            }
            if (ready) {
                expect(ExitCode.DONE, "status", "--root", root.toString());
                expect(ExitCode.DONE, "status", "--resources", "--root", root.toString());
                expect(ExitCode.DONE, "apply", "--root", root.toString());
            }
            Quarkus.asyncExit((ready ? ExitCode.DONE : ExitCode.FAILED).number());
        });
    }
}
