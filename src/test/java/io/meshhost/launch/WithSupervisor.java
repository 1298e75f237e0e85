package io.meshhost.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A test of the supervisor's loop, with a folder of its own, that leaves no host behind. */
abstract class WithSupervisor {
    static final String WAITS = "exec sleep 60";

    @TempDir
    Path temp;

    Supervised supervised;

    @BeforeEach
    void aSupervisor() throws Exception {
        supervised = new Supervised(temp.toRealPath());
    }

    @AfterEach
    void noHostIsLeft() throws Exception {
        supervised.close();
        assertThat(supervised.alive()).isEmpty();
    }
}
