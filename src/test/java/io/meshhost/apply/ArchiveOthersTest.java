package io.meshhost.apply;

import static io.meshhost.apply.testing.Declared.archive;
import static io.meshhost.apply.testing.Declared.machine;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhost.apply.testing.EveryCut;
import io.meshhost.apply.testing.FakeBundles;
import io.meshhost.apply.testing.Rig;
import io.meshhost.declaration.Declaration;
import io.meshhost.machine.Probe;
import io.meshhost.machine.testing.PowerCut;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What others keep in an archive's tree: whenever they write, nothing of it is lost. */
class ArchiveOthersTest {
    private static final String FIRST = "a=1\nlib/b=1\n";
    private static final String SECOND = "a=2\nlib/c=2\n";
    private static final Declaration UPGRADED = machine(archive("x/app", "/srv/app", FakeBundles.sha(SECOND)));

    @TempDir
    Path base;

    private int machines;

    private Rig unpacked() {
        Rig rig = new Rig(base.resolve("m" + ++machines)).impatient();
        rig.bundles().publish(SECOND);
        rig.apply(machine(archive("x/app", "/srv/app", rig.bundles().publish(FIRST))));
        return rig;
    }

    @Test
    void whatAProgramWritesIntoItsDirectoryDuringTheSwapIsThereAfterwards() throws IOException {
        int kept = 0;
        for (int n = 1; ; n++) {
            try (Rig rig = unpacked()) {
                rig.write("/srv/app/lib/early", "e");
                Program program = new Program(rig.path("/srv/app/lib"), n);
                rig.restart(program, Probe.NONE);
                assertThat(rig.apply(UPGRADED).outcomes())
                        .singleElement()
                        .extracting(Outcome::action, Outcome::error)
                        .containsExactly("updated", null);
                assertThat(rig.text("/srv/app/lib/early")).isEqualTo("e");
                assertThat(rig.text("/srv/app/lib/c")).isEqualTo("2");
                assertThat(rig.there("/srv/app/lib/late"))
                        .as("written before operation %d", n)
                        .isEqualTo(program.wrote.get());
                kept += program.wrote.get() ? 1 : 0;
                assertThat(rig.tree().toString()).doesNotContain("/.");
                program.directory.close();
                if (!program.due.get()) {
                    break;
                }
            }
        }
        assertThat(kept).isGreaterThan(10);
    }

    /** Has a directory open, as a program whose working directory it is, and writes there before the nth operation. */
    private static final class Program implements Probe {
        private final SecureDirectoryStream<Path> directory;
        private final long when;
        private final AtomicBoolean due = new AtomicBoolean();
        private final AtomicBoolean wrote = new AtomicBoolean();

        // The test closes it.
        @SuppressWarnings("StreamResourceLeak")
        Program(Path directory, long when) throws IOException {
            this.directory = (SecureDirectoryStream<Path>) Files.newDirectoryStream(directory);
            this.when = when;
        }

        @Override
        public void before(long number, String operation, Path path) {
            if (number != when) {
                return;
            }
            due.set(true);
            Set<StandardOpenOption> fresh = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            try (SeekableByteChannel out = directory.newByteChannel(Path.of("late"), fresh)) {
                out.write(ByteBuffer.wrap(new byte[] {'l'}));
                wrote.set(true);
            } catch (NoSuchFileException removed) {
                // Its directory is gone, and it knows.
                wrote.set(false);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Test
    void theOldTreeIsNotDeletedBecauseOfSomethingElseThatWasPutInItsPlace() throws IOException {
        try (Rig rig = unpacked()) {
            rig.write("/srv/app/data/x", "by hand");
            Path app = rig.path("/srv/app");
            rig.restart(
                    (number, operation, path) -> {
                        if (operation.equals("rename") && path.equals(app)) {
                            PowerCut.before(1).before(1, operation, path);
                        }
                    },
                    Probe.NONE);
            assertThatThrownBy(() -> rig.apply(UPGRADED)).isInstanceOf(PowerCut.Cut.class);
            rig.restart(Probe.NONE, Probe.NONE);
            rig.write("/srv/app/mine", "mine");
            Report report = rig.apply(UPGRADED);
            assertThat(report.outcomes().getFirst().error())
                    .isEqualTo("cannot unpack to " + app + ": " + app.resolveSibling(".app.mesh-old")
                            + " is what stood there before an interrupted apply, and something else was put there since;"
                            + " move one of the two away, and apply again");
            assertThat(rig.text("/srv/.app.mesh-old/data/x")).isEqualTo("by hand");
            assertThat(rig.text("/srv/app/mine")).isEqualTo("mine");
            Files.move(app, rig.path("/srv/other"));
            assertThat(rig.apply(UPGRADED).ok()).isTrue();
            assertThat(rig.tree())
                    .containsExactly(
                            "/srv/",
                            "/srv/app/",
                            "/srv/app/a = 2",
                            "/srv/app/data/",
                            "/srv/app/data/x = by hand",
                            "/srv/app/lib/",
                            "/srv/app/lib/c = 2",
                            "/srv/other/",
                            "/srv/other/mine = mine");
        }
    }

    @Test
    void nothingThatWasMovedAsideEarlierIsOverwritten() {
        try (Rig rig = unpacked()) {
            rig.write("/srv/app/lib/c", "by hand");
            rig.write("/srv/app/lib/c.mesh-removed", "earlier");
            rig.apply(UPGRADED);
            assertThat(rig.text("/srv/app/lib/c.mesh-removed")).isEqualTo("earlier");
            assertThat(rig.text("/srv/app/lib/c.mesh-removed.2")).isEqualTo("by hand");
            rig.write("/srv/app/lib/c", "changed");
            rig.apply(machine());
            assertThat(rig.tree())
                    .containsExactly(
                            "/srv/",
                            "/srv/app/",
                            "/srv/app/lib/",
                            "/srv/app/lib/c.mesh-removed = earlier",
                            "/srv/app/lib/c.mesh-removed.2 = by hand",
                            "/srv/app/lib/c.mesh-removed.3 = changed");
        }
    }

    @Test
    void aFileThatTheNextArchiveAlsoHasIsKeptBesideItWhereverTheSwapWasCut() {
        new EveryCut(base)
                .of(
                        rig -> {
                            rig.bundles().publish(SECOND);
                            rig.apply(machine(
                                    archive("x/app", "/srv/app", rig.bundles().publish(FIRST))));
                            rig.write("/srv/app/lib/c", "by hand");
                            rig.write("/srv/app/data/x", "by hand");
                        },
                        UPGRADED,
                        rig -> {
                            assertThat(rig.text("/srv/app/lib/c")).isEqualTo("2");
                            rig.apply(machine());
                            assertThat(rig.tree())
                                    .containsExactly(
                                            "/srv/",
                                            "/srv/app/",
                                            "/srv/app/data/",
                                            "/srv/app/data/x = by hand",
                                            "/srv/app/lib/",
                                            "/srv/app/lib/c.mesh-removed = by hand");
                        });
    }

    @Test
    void noLinkThatSomebodyPutInThePlaceOfADirectoryIsFollowed() throws IOException {
        for (Declaration next : List.of(UPGRADED, machine())) {
            try (Rig rig = unpacked()) {
                rig.write("/etc/lib/b", "not ours");
                rig.delete("/srv/app/lib/b");
                rig.delete("/srv/app/lib");
                Files.createSymbolicLink(rig.path("/srv/app/lib"), rig.path("/etc/lib"));
                assertThat(rig.apply(next).ok()).isTrue();
                assertThat(rig.text("/etc/lib/b")).isEqualTo("not ours");
                String link = next.equals(UPGRADED) ? "/srv/app/lib.mesh-removed" : "/srv/app/lib";
                assertThat(Files.readSymbolicLink(rig.path(link))).isEqualTo(rig.path("/etc/lib"));
            }
        }
    }
}
