package io.meshhost.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.machine.Probe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is read ahead is what would be read now, whatever happens in between. */
class AheadTest {
    @TempDir
    Path root;

    private VersionsRoom room;
    private Ledger ledger;

    @BeforeEach
    void twoVersions() throws IOException {
        room = new VersionsRoom(root.toRealPath()).deliver("a", "a", 1).deliver("b", "b", 2);
        room.executable(room.placed(), "placed");
        Files.writeString(room.state().resolve("start-attempts"), "1\n");
        ledger = room.ledger(Probe.NONE);
    }

    interface Change {
        void make(VersionsRoom room) throws IOException;
    }

    static Stream<Change> changes() {
        return Stream.of(
                // In place, as a person does; the directory does not change for that.
                room -> Files.writeString(room.state().resolve("start-attempts"), "2\n"),
                room -> Files.writeString(room.state().resolve("rollback-pinned"), "a\n"),
                room -> Files.createFile(room.state().resolve("halted")),
                room -> Files.writeString(room.state().resolve("rejected"), "sha256:00 b\n"),
                room -> room.deliver("c", "c", 3),
                room -> Files.move(room.versions().resolve("b"), room.versions().resolve(".b")),
                room -> Files.delete(room.versions().resolve("b/nox-mesh-host")),
                room -> Files.setPosixFilePermissions(
                        room.versions().resolve("b/nox-mesh-host"), PosixFilePermissions.fromString("rw-r--r--")),
                room -> Files.delete(room.placed()),
                room -> room.executable(room.root.resolve("libexec/rollback"), "x"),
                room -> Files.move(
                        room.versions(), room.versions().resolveSibling("gone"), StandardCopyOption.ATOMIC_MOVE));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void aChangeIsSeenAtTheNextQuestion(Change change) throws IOException {
        ledger.readAhead(Optional.empty());
        String before = seen(ledger);
        change.make(room);
        assertThat(seen(ledger)).isNotEqualTo(before).isEqualTo(seen(room.ledger(Probe.NONE)));
        ledger.readAhead(Optional.empty());
        assertThat(seen(ledger)).isEqualTo(seen(room.ledger(Probe.NONE)));
    }

    @Test
    void whatHasNotChangedIsNotReadAgain() {
        ledger.readAhead(Optional.empty());
        Scene first = ledger.scene(Optional.empty());
        ledger.readAhead(Optional.empty());
        assertThat(ledger.scene(Optional.empty()).versions()).isSameAs(first.versions());
        ledger.readAnew();
        assertThat(ledger.scene(Optional.empty()).versions())
                .isEqualTo(first.versions())
                .isNotSameAs(first.versions());
    }

    @Test
    void overALinkNothingIsReadAhead() throws IOException {
        Files.move(room.versions(), room.root.resolve("elsewhere"));
        Files.createSymbolicLink(room.versions(), room.root.resolve("elsewhere"));
        ledger.readAhead(Optional.empty());
        Scene first = ledger.scene(Optional.empty());
        assertThat(first.versions()).hasSize(2);
        assertThat(ledger.scene(Optional.empty()).versions()).isNotSameAs(first.versions());
    }

    @Test
    void whereNothingIsYetItComesIntoSight() throws IOException {
        VersionsRoom bare = new VersionsRoom(Files.createDirectory(room.root.resolve("bare")));
        Files.delete(bare.versions());
        Ledger there = bare.ledger(Probe.NONE);
        there.readAhead(Optional.empty());
        assertThat(there.scene(Optional.empty()).versions()).isEmpty();
        bare.deliver("a", "a", 1);
        bare.executable(bare.placed(), "placed");
        assertThat(there.scene(Optional.empty()).versions()).hasSize(1);
        assertThat(there.scene(Optional.empty()).placed()).isTrue();
    }

    /** All of it but the question that it holds. */
    private static String seen(Ledger ledger) {
        Scene scene = ledger.scene(Optional.empty());
        return String.join(
                "|",
                scene.halted().toString(),
                Integer.toString(scene.count()),
                scene.pin().toString(),
                scene.versions().toString(),
                scene.rejected().toString(),
                Boolean.toString(scene.placed()),
                Boolean.toString(scene.script()));
    }
}
