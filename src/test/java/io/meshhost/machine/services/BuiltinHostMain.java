package io.meshhost.machine.services;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A host of its own, for tests that kill it: the supervisor over the state directory given, until it is killed. */
final class BuiltinHostMain {
    private BuiltinHostMain() {}

    public static void main(String... args) throws InterruptedException {
        BuiltinSupervisor supervisor =
                new BuiltinSupervisor(BuiltinFixture.means(Path.of(args[0]), new RealTicker(), BuiltinFixture.QUICK));
        supervisor.start();
        new CountDownLatch(1).await();
    }
}
