package io.meshhost.machine.services;

import io.meshhost.testing.Needs;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

@Tag("systemd")
class SystemdOddBytesTest extends OddBytesContract {
    @TempDir
    Path bundle;

    private final Services services = SystemdServicesTest.systemd();

    @BeforeEach
    void needsSystemd() {
        Needs.systemd();
    }

    @Override
    Services services() {
        return services;
    }

    @Override
    Path bundle() {
        return bundle;
    }
}
