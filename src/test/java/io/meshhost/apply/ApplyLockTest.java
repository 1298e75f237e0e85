package io.meshhost.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhost.apply.testing.Rig;
import io.meshhost.machine.LockFile;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApplyLockTest {
    @TempDir
    Path base;

    @Test
    void aSecondApplyFailsNamingTheProcessThatHoldsTheLock() {
        try (Rig rig = new Rig(base)) {
            LockFile file = new LockFile(rig.machine().ticker());
            try (LockFile.Held held = new ApplyLock(rig.machine(), file).hold()) {
                assertThat(held).isNotNull();
                assertThatThrownBy(() -> new ApplyLock(rig.machine(), file).hold(Duration.ofMillis(20)))
                        .isInstanceOf(ApplyFailure.class)
                        .hasMessage("cannot apply: process "
                                + ProcessHandle.current().pid()
                                + " is applying and did not end in time; wait for it, and try again")
                        .extracting(failure -> ((ApplyFailure) failure).reason())
                        .isEqualTo(ApplyFailure.Reason.BUSY);
            }
            new ApplyLock(rig.machine(), file).hold().close();
        }
    }
}
