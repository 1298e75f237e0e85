package io.meshhost.apply;

import io.meshhost.apply.testing.ProcessWorld;
import io.meshhost.apply.testing.RunningSupervisor;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;

/** Steps in a running host without systemd. */
class BuiltinHostStepTest extends ProcessStepContract {
    private final RunningSupervisor host = new RunningSupervisor();

    @Override
    ProcessWorld open() throws IOException {
        return host.open(folder);
    }

    @Override
    @AfterEach
    void nothingStays() {
        super.nothingStays();
        host.close();
    }
}
