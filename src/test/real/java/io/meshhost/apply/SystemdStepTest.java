package io.meshhost.apply;

import io.meshhost.apply.testing.ProcessWorld;
import io.meshhost.testing.Needs;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** Steps under a real systemd. */
@Tag("systemd")
class SystemdStepTest extends ProcessStepContract {
    @Override
    @BeforeEach
    void machine() throws IOException {
        Needs.systemd();
        super.machine();
    }

    @Override
    ProcessWorld open() throws IOException {
        return ProcessWorld.of(folder, Path.of("/etc/systemd/system"), _ -> ProcessLifecycleTest.systemd());
    }
}
