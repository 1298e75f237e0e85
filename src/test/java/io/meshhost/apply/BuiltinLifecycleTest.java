package io.meshhost.apply;

import io.meshhost.apply.testing.ProcessWorld;
import java.io.IOException;

/** The life of a process in a running host without systemd. */
class BuiltinLifecycleTest extends ProcessLifecycleContract {
    @Override
    ProcessWorld open() throws IOException {
        return ProcessWorld.running(folder);
    }
}
