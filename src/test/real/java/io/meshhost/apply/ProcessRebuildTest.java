package io.meshhost.apply;

import io.meshhost.apply.testing.ProcessWorld;
import io.meshhost.testing.Needs;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** A lost record under a real systemd. */
@Tag("systemd")
class ProcessRebuildTest extends ProcessRebuildContract {
    @Override
    @BeforeEach
    void theRecordOfWhatRunsIsLost() throws IOException {
        Needs.systemd();
        super.theRecordOfWhatRunsIsLost();
    }

    @Override
    ProcessWorld open() throws IOException {
        return ProcessWorld.of(folder, Path.of("/etc/systemd/system"), _ -> ProcessLifecycleTest.systemd());
    }
}
