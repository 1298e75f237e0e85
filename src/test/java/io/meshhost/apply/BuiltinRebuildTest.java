package io.meshhost.apply;

import io.meshhost.apply.testing.ProcessWorld;
import io.meshhost.machine.services.BuiltinSupervisor;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;

/** A lost record in a running host without systemd. */
class BuiltinRebuildTest extends ProcessRebuildContract {
    private final AtomicReference<BuiltinSupervisor> host = new AtomicReference<>();

    @Override
    ProcessWorld open() throws IOException {
        return ProcessWorld.of(folder, folder.resolve("units"), means -> {
            BuiltinSupervisor supervisor = new BuiltinSupervisor(means);
            supervisor.start();
            host.set(supervisor);
            return supervisor;
        });
    }

    @Override
    @AfterEach
    void nothingStays() {
        super.nothingStays();
        host.get().close();
    }
}
