package io.meshhost.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhost.machine.Probe;
import io.meshhost.machine.testing.PowerCut;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written about versions, and what is left of it when the power is cut. */
class BooksTest {
    @TempDir
    private Path root;

    /** Three versions, c failed three times; a was good once. */
    private VersionsRoom failing(Path folder) {
        VersionsRoom room = new VersionsRoom(folder);
        room.executable(room.placed(), "#!/bin/sh\n# placed\n");
        return room.deliver("a", "#!/bin/sh\n# a\n", 100)
                .deliver("b", "#!/bin/sh\n# b\n", 200)
                .deliver("c", "#!/bin/sh\n# c\n", 300)
                .write("known-good", "a\n")
                .write("start-attempts", "3\n");
    }

    private static Choice.GoBack goBack(VersionsRoom room) {
        Choice choice = room.choice(Optional.empty());
        assertThat(choice).isInstanceOf(Choice.GoBack.class);
        return (Choice.GoBack) choice;
    }

    @Test
    void aRollbackLeavesAFreshCountARejectionAPinAndItsMark() {
        VersionsRoom room = failing(root);
        room.books(Probe.NONE).goBack(goBack(room));
        assertThat(room.read("start-attempts")).isEqualTo("0\n");
        assertThat(room.read("rejected")).matches("sha256:[0-9a-f]{64} c\n");
        assertThat(room.read("rollback-pinned")).isEqualTo("a\n");
        assertThat(room.read("rollback-attempted")).isEmpty();
        assertThat(Scenes.words(room.choice(Optional.empty()))).isEqualTo("run version a, it is pinned by a rollback");
    }

    @Test
    void aPowerCutInARollbackIsNeverASecondRejectionAndNeverAHalt() throws IOException {
        VersionsRoom whole = failing(root.resolve("whole"));
        PowerCut trace = PowerCut.never();
        whole.books(trace).goBack(goBack(whole));
        int operations = trace.trace().size();
        assertThat(operations).isGreaterThan(12);
        for (int cut = 1; cut <= operations; cut++) {
            VersionsRoom room = failing(root.resolve("cut" + cut));
            Choice.GoBack back = goBack(room);
            Books books = room.books(PowerCut.before(cut));
            assertThatThrownBy(() -> books.goBack(back)).isInstanceOf(PowerCut.Cut.class);
            for (Optional<Host> last : List.of(Optional.<Host>empty(), Optional.of(room.delivered("c")))) {
                Choice next = room.choice(last);
                assertThat(next).as("cut %d, %s", cut, Scenes.words(next)).isNotInstanceOf(Choice.Halt.class);
                if (next instanceof Choice.GoBack again) {
                    assertThat(again.rejects()).as("cut %d", cut).contains("c");
                }
            }
            assertThat(Files.exists(room.state().resolve("rollback-attempted")))
                    .as("cut %d: the mark comes last", cut)
                    .isEqualTo(cut > operations - 1
                            && !room.read("rollback-attempted").equals("(none)"));
        }
    }

    @Test
    void aTouchedProgramOfADeliveredArchiveStaysRejected() throws IOException {
        VersionsRoom room = failing(root);
        Path tree = room.versions().resolve("c");
        room.ledger(Probe.NONE).bytes().delivered("c", tree, "sha256:" + "c".repeat(64));
        room.books(Probe.NONE).goBack(goBack(room));
        assertThat(room.read("rejected")).contains("sha256:" + "c".repeat(64) + " c\n");
        Files.setLastModifiedTime(tree.resolve("nox-mesh-host"), java.nio.file.attribute.FileTime.fromMillis(1));
        room.write("rollback-pinned", "");
        assertThat(Scenes.words(room.choice(Optional.empty()))).isEqualTo("run version b, its directory is the newest");
    }

    @Test
    void theSameBytesDeliveredAgainStayRejectedAndOthersDoNot() {
        VersionsRoom room = failing(root);
        room.books(Probe.NONE).goBack(goBack(room));
        room.deliver("again", "#!/bin/sh\n# c\n", 900);
        assertThat(Scenes.words(room.choice(Optional.empty()))).isEqualTo("run version a, it is pinned by a rollback");
        room.deliver("c", "#!/bin/sh\n# c, mended\n", 1000);
        assertThat(Scenes.words(room.choice(Optional.empty())))
                .isEqualTo("run version c, its directory is the newest, the pin has ended");
    }

    @Test
    void aPardonLiftsWhatWasSaidOfTheBytesAndOfTheName() {
        VersionsRoom room = failing(root);
        Books books = room.books(Probe.NONE);
        books.goBack(goBack(room));
        books.pardon("c");
        assertThat(room.read("rejected")).isEmpty();
    }

    @Test
    void whatArrivesGetsTheNextNumberAlsoWhenItsNameIsOld() {
        VersionsRoom room = new VersionsRoom(root);
        Books books = room.books(Probe.NONE);
        List.of("1.0", "a b", "1.0").forEach(books::arrived);
        assertThat(room.read("arrivals")).isEqualTo("2 a b\n3 1.0\n");
    }

    @Test
    void theLastThreeThatCompletedAReconcileAreKnownGoodAndTheFailuresForgotten() {
        VersionsRoom room = failing(root).write("rollback-attempted", "");
        Books books = room.books(Probe.NONE);
        List.of("a", "b", "c", "b", "d e").forEach(name -> books.completed(Optional.of(name)));
        assertThat(room.read("known-good")).isEqualTo("d e\nb\nc\n");
        assertThat(room.read("start-attempts")).isEqualTo("(none)");
        assertThat(room.read("rollback-attempted")).isEqualTo("(none)");
    }

    @Test
    void anOperatorsPinIsMarkedAndARollbacksIsNot() {
        VersionsRoom room = failing(root);
        Books books = room.books(Probe.NONE);
        books.pin(new Pin("b", true));
        assertThat(Scenes.words(room.choice(Optional.of(room.delivered("c")))))
                .isEqualTo("run version b, it is pinned by an operator, from 0 instead of version c, reject c");
        room.write("start-attempts", "0\n");
        assertThat(Scenes.words(room.choice(Optional.empty()))).isEqualTo("run version b, it is pinned by an operator");
        books.pin(new Pin("b", false));
        assertThat(Scenes.words(room.choice(Optional.empty()))).isEqualTo("run version b, it is pinned by a rollback");
        books.unpin();
        assertThat(room.read("rollback-pinned")).isEqualTo("(none)");
    }
}
