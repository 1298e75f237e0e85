package io.meshhost.apply;

import io.meshhost.bundle.Bundles.Owner;
import io.meshhost.bundle.Entry;
import io.meshhost.declaration.Resource.ArchiveResource;
import io.meshhost.machine.Files;
import io.meshhost.machine.Files.Attributes;
import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.Stat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Puts a new tree in the place of an old one.
 *
 * <p>Failure model: {@code .NAME.mesh-new} is ours to throw away; {@code NAME} is the old tree or the new
 * one, whole; for the moment between two renames it is absent and {@code .NAME.mesh-old} is the old tree, which
 * {@link #recover} then puts back. What others added is in both trees until the old one is deleted.
 */
final class ArchiveSwap {
    private final Work work;
    private final Files files;
    private final Path path;
    private final Path fresh;
    private final Path old;

    ArchiveSwap(Path path, Work work) {
        this.work = work;
        this.files = work.files();
        this.path = path;
        this.fresh = path.resolveSibling("." + path.getFileName() + ".mesh-new");
        this.old = aside(path);
    }

    static Path aside(Path path) {
        return path.resolveSibling("." + path.getFileName() + ".mesh-old");
    }

    /** Undoes a swap that was cut between its renames, and clears what any cut left. */
    void recover() {
        if (files.stat(old).isPresent()) {
            if (files.stat(path).isEmpty()) {
                files.move(old, path);
                files.sync();
            } else {
                files.deleteTree(old);
            }
        }
        files.deleteTree(fresh);
    }

    /** What was unpacked, and the names that others had added and that are still there. */
    record Swapped(List<Entry> entries, List<String> carried) {}

    /**
     * @param unpacked told where the new tree stands before anything is swapped: once it is in place, only the
     *     record can tell what in it is ours
     */
    Swapped swap(
            ArchiveResource resource, ArchiveEntries before, boolean whole, BiConsumer<Path, List<Entry>> unpacked) {
        recover();
        Path bytes = Supply.file(resource.bytes(), work.bundles(), work.progress());
        Owner owner = new Owner(work.accounts().ownUid(), work.accounts().ownGid());
        List<Entry> entries = work.bundles().unpack(bytes, resource.strip(), fresh, owner, work.progress());
        unpacked.accept(fresh, entries);
        List<String> carried = new ArrayList<>();
        Optional<Stat> there = files.stat(path);
        if (there.isPresent()) {
            if (!whole) {
                carryOver(before, carried);
            }
            files.sync();
            files.move(path, old);
            // The order of the two renames must hold on the disk, too: never the new name without the old one kept.
            files.sync();
        }
        files.move(fresh, path);
        files.sync();
        files.deleteTree(old);
        return new Swapped(entries, carried);
    }

    /** Everything in the old tree that the host did not put there. */
    private void carryOver(ArchiveEntries before, List<String> carried) {
        Set<Path> ours = new HashSet<>(before.of().keySet());
        carry(Path.of(""), ours, carried);
    }

    private void carry(Path folder, Set<Path> ours, List<String> carried) {
        for (Path child : files.list(path.resolve(folder))) {
            Path relative = path.relativize(child);
            Optional<Stat> stat = files.stat(child);
            if (stat.isEmpty()) {
                continue;
            }
            if (stat.get().isDirectory()) {
                carryDirectory(relative, stat.get(), ours, carried);
            } else if (!ours.contains(relative)) {
                carryFile(relative, stat.get(), carried);
            }
        }
    }

    private void carryDirectory(Path relative, Stat stat, Set<Path> ours, List<String> carried) {
        Path into = fresh.resolve(relative);
        Optional<Stat> there = files.stat(into);
        if (there.isEmpty()) {
            if (ours.contains(relative) && !holdsOthers(path.resolve(relative), ours)) {
                return;
            }
            make(into, stat);
            carried.add(relative + "/");
        } else if (!there.get().isDirectory()) {
            if (ours.contains(relative) && !holdsOthers(path.resolve(relative), ours)) {
                return;
            }
            throw new MachineFailure("cannot unpack to " + path + ": the archive has a file " + relative
                    + " where others keep a directory; move that away, and apply again");
        }
        carry(relative, ours, carried);
    }

    private void make(Path into, Stat stat) {
        boolean root = work.accounts().root();
        files.makeDirectory(
                into,
                new Attributes(
                        OptionalInt.of(stat.mode()),
                        root ? OptionalInt.of(stat.uid()) : OptionalInt.empty(),
                        root ? OptionalInt.of(stat.gid()) : OptionalInt.empty()));
    }

    private boolean holdsOthers(Path folder, Set<Path> ours) {
        for (Path child : files.list(folder)) {
            boolean directory = files.stat(child).filter(Stat::isDirectory).isPresent();
            if (!ours.contains(path.relativize(child)) || (directory && holdsOthers(child, ours))) {
                return true;
            }
        }
        return false;
    }

    private void carryFile(Path relative, Stat stat, List<String> carried) {
        Path from = path.resolve(relative);
        Path into = fresh.resolve(relative);
        boolean same = stat.isFile()
                && files.stat(into)
                        .filter(there -> there.isFile() && there.size() == stat.size())
                        .isPresent()
                && files.sha256(from).equals(files.sha256(into));
        if (same) {
            return;
        }
        Path name = free(into);
        if (stat.isLink()) {
            files.symlink(name, files.readLink(from).orElse(""));
        } else {
            files.link(from, name);
        }
        carried.add(fresh.relativize(name).toString());
    }

    /** Where the new archive has something of the same name, that wins, and the other is kept beside it. */
    private Path free(Path into) {
        return files.stat(into).isEmpty() ? into : into.resolveSibling(into.getFileName() + ".mesh-removed");
    }
}
