package io.meshhost.apply.testing;

import io.meshhost.machine.services.BuiltinSupervisor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;

/** A running host without systemd, for a contract that is kept under both. */
public final class RunningSupervisor implements AutoCloseable {
    private final AtomicReference<BuiltinSupervisor> host = new AtomicReference<>();

    public ProcessWorld open(Path folder) throws IOException {
        return ProcessWorld.of(folder, folder.resolve("units"), means -> {
            BuiltinSupervisor supervisor = new BuiltinSupervisor(means);
            supervisor.start();
            host.set(supervisor);
            return supervisor;
        });
    }

    @Override
    public void close() {
        host.get().close();
    }
}
