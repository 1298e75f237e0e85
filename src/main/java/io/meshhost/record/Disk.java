package io.meshhost.record;

import io.meshhost.machine.Files;
import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.Probe;
import io.meshhost.machine.Stat;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;

/** What the record needs of the file system besides SQLite's own reading and writing. */
final class Disk {
    private static final Files.Attributes OWN_DIRECTORY = Files.Attributes.mode(0700);
    private static final Files.Attributes OWN_FILE = Files.Attributes.mode(0600);

    private final Files files = new Files(Path.of("/"), Probe.NONE);

    /** What is done to the disk, and may be refused. */
    private interface Act {
        void run(Files files);
    }

    /** Whether the path is a file, or a directory with something in it. */
    boolean holdsSomething(Path path) {
        try {
            return files.stat(path)
                    .filter(stat -> !stat.isDirectory() || !files.list(path).isEmpty())
                    .isPresent();
        } catch (MachineFailure e) {
            throw new RecordFailure(e.sentence(), e);
        }
    }

    /** A directory that only its owner may enter, and those above it that are missing. */
    void makePrivateDirectory(Path directory) {
        act(directory, f -> {
            for (Path missing : f.missingParents(directory)) {
                f.makeDirectory(missing, Files.Attributes.mode(0755));
            }
            f.makeDirectory(directory, OWN_DIRECTORY);
            f.sync();
        });
    }

    /** An empty file, 0600 from its first moment, in the place of whatever an interrupted attempt left. */
    void makePrivateFile(Path file) {
        act(file, f -> f.write(file, new byte[0], OWN_FILE));
    }

    /** A private file with the bytes, on the disk when this returns. */
    void writePrivateFile(Path file, InputStream content) throws IOException {
        try {
            files.write(file, content, OWN_FILE);
            files.sync();
        } catch (MachineFailure e) {
            throw new RecordFailure(e.sentence(), e);
        }
    }

    /** A rename that is on the disk when this returns. */
    void moveIfThere(Path from, Path to) {
        act(from, f -> {
            if (f.stat(from).filter(Stat::isFile).isPresent()) {
                f.move(from, to);
                f.sync();
            }
        });
    }

    void removeIfThere(Path file) {
        act(file, f -> f.delete(file));
    }

    private void act(Path path, Act act) {
        try {
            act.run(files);
        } catch (MachineFailure e) {
            throw new RecordFailure("cannot keep the record at " + path + ": " + e.sentence(), e);
        }
    }
}
