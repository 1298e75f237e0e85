package io.meshhost.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.machine.Probe;
import io.meshhost.machine.SystemTicker;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is known of a name when something arrives under it. */
class ArrivingTest {
    private static final String FIRST = "11".repeat(32);
    private static final String OTHER = "22".repeat(32);

    @TempDir
    private Path root;

    @SuppressWarnings("NullAway.Init") // set before each test
    private VersionsRoom room;

    @SuppressWarnings("NullAway.Init") // set before each test
    private Versions versions;

    @BeforeEach
    void aVersionThatIsKnownAsGood() {
        room = new VersionsRoom(root);
        versions = new Versions(room.places(), room.placed(), 3, room.files(Probe.NONE), new SystemTicker());
        room.deliver("1.0", "#!/bin/sh\n# first\n", 100);
        versions.arriving("1.0", room.versions().resolve("1.0"), FIRST);
        room.write("known-good", "1.0\n0.9\n");
    }

    private void arrives(String name, String what, String sha256) {
        String aside = "." + name + ".new";
        room.deliver(aside, "#!/bin/sh\n# " + what + "\n", 200);
        versions.arriving(name, room.versions().resolve(aside), sha256);
    }

    @Test
    void otherBytesUnderItsNameHaveStillToProveThemselves() {
        arrives("1.0", "other", OTHER);
        assertThat(room.read("known-good")).isEqualTo("0.9\n");
    }

    @Test
    void theSameBytesAreStillGood() {
        arrives("1.0", "first", FIRST);
        assertThat(room.read("known-good")).isEqualTo("1.0\n0.9\n");
    }

    @Test
    void anotherNameChangesNothing() {
        arrives("1.1", "other", OTHER);
        assertThat(room.read("known-good")).isEqualTo("1.0\n0.9\n");
    }
}
