package io.meshhost.machine.services;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

class BuiltinOddBytesTest extends OddBytesContract {
    @TempDir
    Path state;

    @TempDir
    Path bundle;

    private final RealTicker ticker = new RealTicker();
    private BuiltinSupervisor supervisor;

    @BeforeEach
    void startSupervisor() {
        supervisor = new BuiltinSupervisor(BuiltinFixture.means(state, ticker, BuiltinFixture.QUICK));
        supervisor.start();
    }

    @AfterEach
    void stopSupervisor() {
        supervisor.close();
        ticker.close();
    }

    @Override
    Services services() {
        return supervisor;
    }

    @Override
    Path bundle() {
        return bundle;
    }
}
