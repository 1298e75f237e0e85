package io.meshhost.apply;

import io.meshhost.machine.Files;
import io.meshhost.machine.Files.Attributes;
import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.Stat;
import io.meshhost.record.Applied;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Carries out what all kinds of paths have in common; thin. */
final class PathWork {
    private PathWork() {}

    static void carryOut(FileSteps step, Change change, Work work) {
        Files files = work.files();
        switch (step) {
            case FileSteps.MakeParents make ->
                make.parents().forEach(parent -> {
                    if (files.stat(parent).isEmpty()) {
                        files.makeDirectory(parent, Attributes.mode(0755));
                    }
                });
            case FileSteps.Sweep sweep -> {
                files.sweep(List.of(sweep.path()));
                files.delete(linkAside(sweep.path()));
            }
            case FileSteps.Aside aside -> files.move(aside.path(), aside.to());
            case FileSteps.PutBack back -> putBack(back.path(), back.before(), change, work);
            case FileSteps.Delete delete -> files.delete(delete.path());
            case FileSteps.DeleteParents delete ->
                delete.parents().forEach(parent -> {
                    // Somebody may have put something there since the plan was made: it stays, and so does its home.
                    if (files.list(parent).isEmpty()) {
                        files.delete(parent);
                    }
                });
            case FileSteps.Note note -> {}
            case FileSteps.Write write -> throw unexpected(write);
            case FileSteps.Change set -> throw unexpected(set);
        }
    }

    private static IllegalStateException unexpected(Step step) {
        return new IllegalStateException("the kind itself does: " + step.sentence());
    }

    private static void putBack(Path path, Before before, Change change, Work work) {
        if (before.was() == Before.Was.LINK) {
            Path aside = linkAside(path);
            work.files().delete(aside);
            work.files().symlink(aside, before.link());
            work.files().move(aside, path);
            return;
        }
        String id = change.recorded().map(Applied::id).orElse(change.id());
        byte[] content = work.record()
                .contentBefore(id)
                .orElseThrow(() -> new MachineFailure("cannot put back " + path
                        + ": the record does not hold what was there; restore it from a backup, and apply again"));
        boolean root = work.accounts().root();
        work.files()
                .write(
                        path,
                        content,
                        new Attributes(
                                OptionalInt.of(before.mode()),
                                root ? OptionalInt.of(before.uid()) : OptionalInt.empty(),
                                root ? OptionalInt.of(before.gid()) : OptionalInt.empty()));
    }

    /** A free name beside it for what somebody else wrote: never over something that an earlier apply moved there. */
    static Path aside(Path path, Files files) {
        String name = path.getFileName() + ".mesh-removed";
        Path aside = path.resolveSibling(name);
        for (int n = 2; files.stat(aside).isPresent(); n++) {
            aside = path.resolveSibling(name + "." + n);
        }
        return aside;
    }

    /** A link cannot be written under a temporary name of {@code Files}; this one is as fixed, and cleared as they are. */
    static Path linkAside(Path path) {
        return path.resolveSibling("." + path.getFileName() + ".mesh-link");
    }

    /** The row's signature and notes after carrying out. */
    static Done done(Path path, Change change, Work work, InstantSource clock) {
        String signature =
                work.files().stat(path).map(stat -> Signature.of(stat, clock)).orElse("");
        String notes = change.recorded()
                .map(row -> PathNotes.read(row.notes(), work.places()).settled().json(work.places()))
                .orElse("{}");
        return new Done(change.detail(), signature, notes);
    }

    /**
     * What the record keeps of a file that the host is about to replace.
     *
     * @throws MachineFailure when it is not what the plan saw: somebody is writing it this moment
     */
    static Optional<byte[]> contentBefore(Change change, Work work, boolean secret) {
        Applied row = change.recorded().orElseThrow();
        Before before = Before.read(row.before());
        if (before.was() != Before.Was.FILE) {
            return Optional.empty();
        }
        Path path = work.places().real(Path.of(row.target()));
        byte[] content = work.files().read(path, Before.KEPT);
        String plain = sha256(content);
        String digest = secret ? Secrets.keyed(work.record().secretKey(), plain) : plain;
        if (!digest.equals(before.digest())) {
            throw new MachineFailure("cannot apply " + change.id() + ": " + path
                    + " was written by somebody else at this moment; apply again");
        }
        return Optional.of(content);
    }

    /** A trusted signature, once the clock has moved on and the content is still the declared one. */
    static Optional<String> settle(Path path, Applied row, Work work, boolean secret, InstantSource clock) {
        Optional<Stat> stat = work.files().stat(path).filter(there -> Signature.same(row.signature(), there));
        if (stat.isEmpty() || Signature.proves(row.signature(), stat.get())) {
            return Optional.empty();
        }
        String fresh = Signature.of(stat.get(), clock);
        if (!Signature.proves(fresh, stat.get())) {
            return Optional.empty();
        }
        String plain = work.files().sha256(path);
        String digest = secret ? Secrets.keyed(work.record().secretKey(), plain) : plain;
        return row.want().startsWith(digest + " ") ? Optional.of(fresh) : Optional.empty();
    }

    static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException absent) {
            throw new IllegalStateException("every Java has SHA-256", absent);
        }
    }
}
