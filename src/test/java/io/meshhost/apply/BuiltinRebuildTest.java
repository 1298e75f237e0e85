package io.meshhost.apply;

import io.meshhost.apply.testing.ProcessWorld;
import java.io.IOException;

/** A lost record in a running host without systemd. */
class BuiltinRebuildTest extends ProcessRebuildContract {
    @Override
    ProcessWorld open() throws IOException {
        return ProcessWorld.running(folder);
    }
}
