package io.meshhost.apply;

import io.meshhost.bundle.Bundles.Owner;
import io.meshhost.bundle.Entry;
import io.meshhost.declaration.Resource.ArchiveResource;
import io.meshhost.machine.Files;
import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.Stat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Puts a new tree in the place of an old one.
 *
 * <p>Failure model: {@code .NAME.mesh-new} is ours to throw away. {@code NAME} is the old tree or the new one; for the
 * moment between two renames it is absent, and {@code .NAME.mesh-old} is the old tree, which {@link #recover} then puts
 * back. Once the new one stands there, on disk, the old one is emptied: what was unpacked in it is deleted, and what
 * others added moves over by rename, so that its owner, mode and content are not touched, a program that has it open
 * notices nothing, and what is written there meanwhile goes along. Directories are removed when they are empty and not
 * otherwise. Each of these can be cut and done again.
 */
final class ArchiveSwap {
    /** A program that writes faster than this must be stopped first. */
    private static final int ROUNDS = 20;

    private final Work work;
    private final Files files;
    private final Path path;
    private final Path fresh;
    private final Path old;
    private final String notes;
    private final boolean whole;

    /**
     * @param notes of the row, as they were before this swap
     * @param whole nothing of the old tree is carried over
     */
    ArchiveSwap(Path path, String notes, boolean whole, Work work) {
        this.work = work;
        this.files = work.files();
        this.path = path;
        this.fresh = path.resolveSibling("." + path.getFileName() + ".mesh-new");
        this.old = aside(path);
        this.notes = notes;
        this.whole = whole;
    }

    static Path aside(Path path) {
        return path.resolveSibling("." + path.getFileName() + ".mesh-old");
    }

    /**
     * Undoes a swap that was cut between its renames, finishes one that was cut later, and clears what any cut left.
     *
     * @return what of others went over to the new tree
     */
    List<String> recover() {
        List<String> carried = new ArrayList<>();
        Optional<Stat> aside = files.stat(old);
        if (aside.isPresent()) {
            Optional<Stat> there = files.stat(path);
            Optional<ArchiveJournal> journal = ArchiveJournal.read(notes);
            if (there.isEmpty()) {
                files.move(old, path);
                files.sync();
            } else if (journal.isPresent()
                    && journal.get().isNew(there.get())
                    && there.get().device() == aside.get().device()) {
                retire(journal.get().before(), carried);
            } else {
                throw new MachineFailure("cannot unpack to " + path + ": " + old + " is what stood there before an"
                        + " interrupted apply, and something else was put there since; move one of the two away, and"
                        + " apply again");
            }
        }
        files.deleteTree(fresh);
        return carried;
    }

    /** Where the new tree was unpacked to, and what is in it. */
    record Unpacked(Path at, List<Entry> entries) {}

    /** What was unpacked, and the names that others had added and that are still there. */
    record Swapped(List<Entry> entries, List<String> carried) {}

    /**
     * @param unpacked told of the new tree, and what is ours in the old one, before anything is swapped: from then on only
     *     the record can tell the two apart
     */
    Swapped swap(ArchiveResource resource, BiConsumer<Unpacked, ArchiveEntries> unpacked) {
        List<String> carried = recover();
        Optional<Stat> there = files.stat(path);
        ArchiveEntries before = there.isEmpty() ? ArchiveEntries.none() : ArchiveJournal.ours(notes, there);
        if (there.isPresent()) {
            files.refuseMounts(path);
        }
        Path bytes = Supply.file(resource.bytes(), work.bundles(), work.progress());
        Owner owner = new Owner(work.accounts().ownUid(), work.accounts().ownGid());
        List<Entry> entries = work.bundles().unpack(bytes, resource.strip(), fresh, owner, work.progress());
        unpacked.accept(new Unpacked(fresh, entries), before);
        if (there.isPresent()) {
            files.sync();
            files.move(path, old);
            // The order of the two renames must hold on the disk, too: never the new name without the old one kept.
            files.sync();
        }
        files.move(fresh, path);
        // So must this: what moves over from now on must not be in a tree that a cut would have us throw away.
        files.sync();
        if (there.isPresent()) {
            retire(before, carried);
        }
        return new Swapped(entries, carried);
    }

    /** Empties the old tree until nothing is left of it, not even what was written since it was looked at. */
    private void retire(ArchiveEntries before, List<String> carried) {
        if (whole) {
            files.deleteTree(old);
            return;
        }
        for (int round = 0; round < ROUNDS; round++) {
            clear(old, before);
            carry(old, carried);
            // What moved has its new name on the disk before the directories go in which it stood.
            files.sync();
            prune(old);
            removeEmpty(old);
            if (files.stat(old).isEmpty()) {
                return;
            }
        }
        throw new MachineFailure(
                "cannot take away " + old + ": a program keeps writing into it; stop it, and apply again");
    }

    /** What we unpacked ourselves; only directories of ours are entered, and no link is. */
    private void clear(Path folder, ArchiveEntries before) {
        for (Path child : files.list(folder)) {
            ArchiveEntries.Unpacked ours = before.of().get(old.relativize(child));
            Optional<Stat> stat = files.stat(child);
            if (ours == null || stat.isEmpty()) {
                continue;
            }
            boolean directory = stat.get().isDirectory();
            if (directory && ours.type() == Entry.Type.DIRECTORY) {
                clear(child, before);
                removeEmpty(child);
            } else if (!directory && ours.type() != Entry.Type.DIRECTORY) {
                files.delete(child);
            }
        }
    }

    /** What somebody writes into it at the last moment keeps it for the next round. */
    private void removeEmpty(Path folder) {
        if (!files.list(folder).isEmpty()) {
            return;
        }
        try {
            files.delete(folder);
        } catch (MachineFailure failure) {
            if (files.list(folder).isEmpty()) {
                throw failure;
            }
        }
    }

    /** Directories whose content went over into those of the same name; a new one is left for the next round. */
    private void prune(Path folder) {
        for (Path child : files.list(folder)) {
            if (files.stat(child).filter(Stat::isDirectory).isPresent()
                    && files.stat(path.resolve(old.relativize(child)))
                            .filter(Stat::isDirectory)
                            .isPresent()) {
                prune(child);
                removeEmpty(child);
            }
        }
    }

    /** All that is left there. What has its name to itself goes first, so that a name found beside it is free. */
    private void carry(Path folder, List<String> carried) {
        for (Path child : files.list(folder)) {
            Path into = path.resolve(old.relativize(child));
            if (files.stat(into).isEmpty()) {
                move(child, into, carried);
            }
        }
        for (Path child : files.list(folder)) {
            Path into = path.resolve(old.relativize(child));
            Optional<Stat> stat = files.stat(child);
            Optional<Stat> there = files.stat(into);
            if (stat.isEmpty()) {
                continue;
            }
            if (stat.get().isDirectory() && there.filter(Stat::isDirectory).isPresent()) {
                carry(child, carried);
            } else if (there.isPresent() && same(child, stat.get(), into, there.get())) {
                files.delete(child);
            } else {
                // The new archive's wins, and the other is kept beside it.
                move(child, there.isEmpty() ? into : PathWork.aside(into, files), carried);
            }
        }
    }

    private void move(Path from, Path to, List<String> carried) {
        boolean directory = files.stat(from).filter(Stat::isDirectory).isPresent();
        files.move(from, to);
        carried.add(path.relativize(to) + (directory ? "/" : ""));
    }

    private boolean same(Path one, Stat is, Path other, Stat there) {
        return is.isFile()
                && there.isFile()
                && is.size() == there.size()
                && files.sha256(one).equals(files.sha256(other));
    }
}
