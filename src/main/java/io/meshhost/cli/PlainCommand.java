package io.meshhost.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** A command that looks at nothing and prints. */
abstract class PlainCommand implements Callable<Integer> {
    @Mixin
    final HelpOption help = new HelpOption();

    final World world;

    PlainCommand(World world) {
        this.world = world;
    }

    abstract List<String> print();

    @Override
    public final Integer call() {
        world.console().lines(print());
        return ExitCode.DONE.number();
    }
}
