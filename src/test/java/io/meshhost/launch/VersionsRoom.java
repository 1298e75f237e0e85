package io.meshhost.launch;

import io.meshhost.machine.Files;
import io.meshhost.machine.LockFile;
import io.meshhost.machine.Places;
import io.meshhost.machine.Probe;
import io.meshhost.machine.SystemTicker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Objects;
import java.util.Optional;

/** A real folder with a state directory and delivered versions, for tests of what the supervisor reads and writes. */
final class VersionsRoom {
    final Path root;

    VersionsRoom(Path root) {
        this.root = root;
        make(state());
        make(versions());
    }

    Path state() {
        return root.resolve("state");
    }

    Path versions() {
        return root.resolve("libexec/versions");
    }

    Path placed() {
        return root.resolve("bin/nox-mesh-host");
    }

    Places places() {
        return new Places(
                root,
                state(),
                root.resolve("daemons"),
                root.resolve("units"),
                root.resolve("libexec"),
                root.resolve("run/control.sock"),
                Optional.empty());
    }

    Files files(Probe probe) {
        return new Files(root, probe);
    }

    Ledger ledger(Probe probe) {
        return new Ledger(places(), placed(), files(probe));
    }

    Books books(Probe probe) {
        return new Books(ledger(probe), new LockFile(new SystemTicker()));
    }

    /** A version with that program, last changed so many seconds after the epoch. */
    VersionsRoom deliver(String name, String program, long modified) {
        Path tree = versions().resolve(name);
        make(tree);
        executable(tree.resolve("nox-mesh-host"), program);
        try {
            java.nio.file.Files.setLastModifiedTime(tree, FileTime.from(Instant.ofEpochSecond(modified)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    void executable(Path file, String text) {
        try {
            make(Objects.requireNonNull(file.getParent()));
            java.nio.file.Files.writeString(file, text);
            java.nio.file.Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    VersionsRoom write(String name, String text) {
        try {
            java.nio.file.Files.writeString(state().resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    String read(String name) {
        try {
            return java.nio.file.Files.readString(state().resolve(name));
        } catch (IOException e) {
            return "(none)";
        }
    }

    Host delivered(String name) {
        return ledger(Probe.NONE).choosing(3).delivered(name);
    }

    /** What would be chosen by a supervisor that begins now, knowing which host ran last or not. */
    Choice choice(Optional<Host> last) {
        Ledger ledger = ledger(Probe.NONE);
        return ledger.choosing(3)
                .choose(ledger.scene(last.map(host -> Ran.now(host, ledger.arrivals(new ArrayList<>())))));
    }

    private static void make(Path directory) {
        try {
            java.nio.file.Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
