package io.meshhost.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.apply.testing.BoxServices;
import io.meshhost.apply.testing.Declared;
import io.meshhost.apply.testing.FakeAccounts;
import io.meshhost.apply.testing.ProcessDraft;
import io.meshhost.bundle.ContentStore;
import io.meshhost.declaration.Declaration;
import io.meshhost.declaration.Resource.ArchiveResource;
import io.meshhost.declaration.Resource.Bytes;
import io.meshhost.machine.Files;
import io.meshhost.machine.Machine;
import io.meshhost.machine.Places;
import io.meshhost.machine.Probe;
import io.meshhost.machine.SystemCommands;
import io.meshhost.machine.SystemTicker;
import io.meshhost.record.RecordStore;
import io.meshhost.record.RecordStores;
import io.meshhost.testing.Shell;
import java.io.IOException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An apply that finds all as declared leaves no trace, with the real record and the real content store. */
class NothingWrittenTest {
    private static final String LOOKS = "unix:mode,uid,gid,size,ino,nlink,lastModifiedTime,ctime";

    @TempDir
    Path base;

    /** It outlives the applies, as systemd does. */
    private BoxServices supervisor;

    @BeforeEach
    void supervisorRuns() throws IOException {
        supervisor = new BoxServices(places().unitDir());
    }

    private Places places() throws IOException {
        Path root = java.nio.file.Files.createDirectories(base.resolve("root"));
        return new Places(
                root,
                root.resolve("var/lib/mesh-host"),
                root.resolve("var/lib/mesh/daemons"),
                root.resolve("etc/systemd/system"),
                root.resolve("usr/lib/nox-mesh-host"),
                root.resolve("run/control.sock"),
                Optional.empty());
    }

    /** As a process of its own does it: the record opened and closed, nothing remembered. */
    private Report apply(Declaration declaration) throws IOException {
        Places places = places();
        Files files = new Files(places.root(), Probe.NONE);
        try (SystemTicker ticker = new SystemTicker();
                RecordStore record = RecordStores.open(places.database(), base.resolve("lib"), true)) {
            Machine machine = new Machine(
                    files,
                    new FakeAccounts(1000),
                    new SystemCommands(),
                    supervisor,
                    places,
                    ticker,
                    InstantSource.system());
            ContentStore bundles = new ContentStore(places.bundles(), files, ticker, Optional.empty());
            return new Engine(machine, bundles, record, Kinds.all(machine, (name, tree, sha256) -> {}))
                    .apply(declaration, Options.none(), Run.quiet("test"));
        }
    }

    private Path archive() throws IOException, InterruptedException {
        Path tree = java.nio.file.Files.createDirectories(base.resolve("tree/sub"));
        java.nio.file.Files.writeString(tree.resolve("page"), "hello");
        java.nio.file.Files.writeString(base.resolve("tree/version"), "v1");
        Path archive = base.resolve("site.tar.gz");
        Shell.must("tar", "-C", base.resolve("tree").toString(), "-czf", archive.toString(), ".");
        return archive;
    }

    private static ProcessDraft process(String name, Path archive, String sha256) {
        return ProcessDraft.of(new Bytes.Published(archive.toUri(), sha256))
                .id("m/" + name)
                .named(name)
                .run("/bin/true");
    }

    /** Everything under the root by name, with all that lstat(2) says but when it was read. */
    private List<String> looks() throws IOException {
        List<String> looks = new ArrayList<>();
        try (Stream<Path> all = java.nio.file.Files.walk(base.resolve("root"))) {
            for (Path path : all.sorted().toList()) {
                looks.add(path + " "
                        + new TreeMap<>(java.nio.file.Files.readAttributes(path, LOOKS, LinkOption.NOFOLLOW_LINKS)));
            }
        }
        return looks;
    }

    @Test
    void aSecondApplyWritesNothingToTheDisk() throws IOException, InterruptedException {
        Path archive = archive();
        String sha256 = Shell.must("sha256sum", archive.toString()).substring(0, 64);
        Declaration declaration = Declared.serial(
                7,
                Declared.file("m/file", "/etc/web/conf", "port=1\n"),
                Declared.secret("m/secret", "/etc/web/key", "secret"),
                Declared.fetched("m/fetched", "/srv/bytes", new Bytes.Published(archive.toUri(), sha256)),
                Declared.directory("m/directory", "/srv/data"),
                new ArchiveResource(
                        Declared.head("m/archive"),
                        Path.of("/srv/site"),
                        0,
                        new Bytes.Published(archive.toUri(), sha256)),
                new ArchiveResource(
                        Declared.head("m/given"), Path.of("/srv/given"), 0, new Bytes.Given("site", archive)),
                process("daemon", archive, sha256).secret("KEY", "hidden").build(),
                process("job", archive, sha256).at("0 3 * * *").build(),
                process("step", archive, sha256).once().build());
        assertThat(apply(declaration).summary()).containsExactlyEntriesOf(java.util.Map.of("created", 9));
        List<String> before = looks();
        List<String> calls = List.copyOf(supervisor.calls);
        assertThat(before).anyMatch(line -> line.contains("record.db"));
        assertThat(apply(declaration).summary()).containsExactlyEntriesOf(java.util.Map.of("unchanged", 9));
        assertThat(looks()).isEqualTo(before);
        assertThat(supervisor.calls).isEqualTo(calls);
        assertThat(supervisor.stepRuns).hasSize(1);
    }
}
