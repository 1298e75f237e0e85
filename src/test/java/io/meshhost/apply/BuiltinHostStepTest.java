package io.meshhost.apply;

import io.meshhost.apply.testing.ProcessWorld;
import java.io.IOException;

/** Steps in a running host without systemd. */
class BuiltinHostStepTest extends ProcessStepContract {
    @Override
    ProcessWorld open() throws IOException {
        return ProcessWorld.running(folder);
    }
}
