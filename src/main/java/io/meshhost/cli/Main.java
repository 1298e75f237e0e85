package io.meshhost.cli;

import io.meshhost.converge.Host;
import io.meshhost.machine.ExpectedFailure;
import io.meshhost.machine.SocketPlace;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import io.smallrye.common.net.HostName;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * Entry of nox-mesh-host. Everything but {@code run} is answered without Quarkus, in milliseconds, and ends with
 * System.exit: a thread that some library left running must not keep a short command alive.
 */
@QuarkusMain
public final class Main {
    /** A directory in which nobody can put a file: see {@link #leaveTheCurrentDirectory}. */
    private static final String NOWHERE = "/proc";

    Main() {}

    public static void main(String... args) {
        // The first log record must not be made on a virtual thread: this is what it would look up there (NATIVE.md).
        HostName.getNodeName();
        // Logging is not set up in a short command, and each start of a program would leave a record in its queue.
        Logger.getLogger("java.lang.ProcessBuilder").setLevel(Level.OFF);
        if (args.length == 1 && args[0].equals("launch")) {
            System.exit(launch());
        }
        World world = new World(Console.system(), Hosts::open, Clock.systemUTC(), Version.TEXT);
        CommandLine line = Top.commandLine(world);
        if (args.length > 0 && args[0].equals("run")) {
            Signals.outliveHangUp();
            run(line, Dev::end, args);
        } else if (args.length == 1 && args[0].equals("training")) {
            System.exit(Training.run((ends, words) -> run(line, ends, words)));
        } else {
            System.exit(line.execute(args));
        }
    }

    /** As the unit calls it: no command line is built, since a machine waits for its host. */
    private static int launch() {
        try {
            return LaunchCommand.supervise(Map.of());
        } catch (ExpectedFailure failure) {
            return Failures.work(failure, new PrintWriter(System.err, true, StandardCharsets.UTF_8), false);
        } catch (Exception failure) {
            throw new IllegalStateException("the supervisor did not end as it should", failure);
        }
    }

    /** The lock is held and never looked at. */
    @SuppressWarnings("try")
    private static void run(CommandLine line, IntConsumer ends, String... args) {
        RunCommand command;
        try {
            CommandLine.ParseResult parsed = line.parseArgs(args).subcommand();
            if (CommandLine.printHelpIfRequested(parsed)) {
                System.exit(ExitCode.DONE.number());
                return;
            }
            command = (RunCommand) parsed.commandSpec().userObject();
        } catch (ParameterException wrong) {
            System.exit(Failures.call(wrong, args));
            return;
        }
        try (Host host = command.open();
                AutoCloseable lock = host.alone()) {
            if (!Dev.keepsListening(host.places().control())) {
                SocketPlace.prepare(host.places().control(), host.files(), host.ownUid());
            }
            listenOn(host.places().control().toString());
            leaveTheCurrentDirectory();
            Quarkus.run(
                    App.class,
                    (code, failure) -> ends.accept(code),
                    command.absoluteArguments().toArray(String[]::new));
        } catch (ExpectedFailure failure) {
            ends.accept(Failures.work(failure, line.getErr(), command.verbose()));
        } catch (Exception failure) {
            throw new IllegalStateException("the daemon did not end as it should", failure);
        }
    }

    private static void listenOn(String socket) {
        System.setProperty("quarkus.http.host-enabled", "false");
        System.setProperty("quarkus.http.domain-socket-enabled", "true");
        System.setProperty("quarkus.http.domain-socket", socket);
    }

    /**
     * Quarkus reads {@code .env} and {@code config/application.properties} from wherever the daemon was started: anybody
     * who may write there would configure it. It asks this property for the place, and nothing else of ours does.
     */
    private static void leaveTheCurrentDirectory() {
        if (!Dev.on()) {
            System.setProperty("user.dir", NOWHERE);
        }
    }
}
