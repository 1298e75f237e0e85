package io.meshhost.cli;

import io.meshhost.converge.Daemon;
import io.meshhost.converge.Host;
import io.meshhost.machine.ExpectedFailure;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Clock;
import picocli.CommandLine;

/** The daemon inside Quarkus: from the parsed call to its end. */
@Singleton
public class App implements QuarkusApplication {
    private final Daemon daemon;

    App(Daemon daemon) {
        this.daemon = daemon;
    }

    @Override
    public int run(String... args) {
        World world = new World(Console.system(), Hosts::open, Clock.systemUTC(), Version.TEXT);
        CommandLine line = Top.commandLine(world);
        RunCommand command =
                (RunCommand) line.parseArgs(args).subcommand().commandSpec().userObject();
        try {
            // Before anything is begun: a TERM that comes now must find an orderly end too.
            if (!Dev.on()) {
                Signals.take(() -> Quarkus.asyncExit(ExitCode.DONE.number()), () -> daemon.reconcile("HUP"));
            }
            Host host = command.open();
            daemon.start(host.parts(world.version()), () -> Quarkus.asyncExit(ExitCode.DONE.number()));
            Quarkus.waitForExit();
            // Here, and not when Quarkus stops: status still answers "stopping" while the work in hand ends.
            daemon.stop();
            return ExitCode.DONE.number();
        } catch (ExpectedFailure failure) {
            return Failures.work(failure, line.getErr(), command.verbose());
        }
    }

    /** Dev mode ends the application without the end of {@link #run}. */
    void stopping(@Observes ShutdownEvent event) {
        daemon.stop();
    }
}
