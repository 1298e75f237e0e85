package io.meshhost.apply;

import io.meshhost.apply.testing.Rig;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Two archives to be declared, of one thing in two versions, and an engine on a scratch root. */
abstract class ArchivesFixture {
    @TempDir
    Path base;

    Rig rig;
    String first;
    String second;

    @BeforeEach
    void archivesArePublished() {
        rig = new Rig(base).impatient();
        first = rig.bundles().publish("a=1\nlib/b=1\nlib/deep/c=1\n");
        second = rig.bundles().publish("a=2\n");
    }

    @AfterEach
    void recordIsClosed() {
        rig.close();
    }
}
