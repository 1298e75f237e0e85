package io.meshhost.apply;

import io.meshhost.apply.testing.ProcessWorld;
import io.meshhost.machine.services.BuiltinServices;
import java.io.IOException;

/** Steps of a one-shot apply without systemd. */
class BuiltinStepTest extends ProcessStepContract {
    @Override
    ProcessWorld open() throws IOException {
        return ProcessWorld.of(folder, folder.resolve("units"), BuiltinServices::new);
    }
}
