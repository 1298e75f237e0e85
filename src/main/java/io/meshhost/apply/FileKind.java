package io.meshhost.apply;

import io.meshhost.declaration.Resource.Content;
import io.meshhost.declaration.Resource.FileResource;
import io.meshhost.machine.Files;
import io.meshhost.machine.Files.Attributes;
import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.Stat;
import io.meshhost.record.Applied;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A file: written whole beside its name and renamed over it, never in place (SPEC 2, "file").
 *
 * <p>A link at the path is replaced, not followed; a hard link is broken; both are said. Undeclared, what was
 * there before comes back.
 */
final class FileKind implements Kind<FileResource, FileSeen> {
    private final InstantSource clock;

    /**
     * @param clock of file times
     */
    FileKind(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public String type() {
        return "file";
    }

    @Override
    public boolean batched() {
        return true;
    }

    @Override
    public boolean stages() {
        return false;
    }

    @Override
    public FileSeen observe(FileResource resource, Optional<Applied> recorded, Sight sight) {
        return FileSight.of(resource, recorded, sight);
    }

    @Override
    public Optional<FileSeen> observeCleared(FileResource resource, Sight sight) {
        return Optional.of(FileSight.cleared(resource, sight));
    }

    @Override
    public Change plan(
            FileResource resource, FileSeen seen, Optional<Applied> recorded, Set<String> causes, Facts facts) {
        return switch (seen) {
            case FileSight declared -> new FilePlan(resource, declared, recorded, facts).change();
            case FileGone gone -> gone.plan(recorded.orElseThrow(), facts);
        };
    }

    /** Read again now: kept is what the record's digest speaks of, or nothing is touched. */
    @Override
    public Optional<byte[]> contentBefore(FileResource resource, Change change, Work work) {
        return PathWork.contentBefore(change, work, resource.secret());
    }

    @Override
    public Done carryOut(FileResource resource, Change change, Work work) {
        Path path = work.places().real(resource.path());
        // A secret that nobody gave a mode must not be readable by all for even one rename.
        OptionalInt fresh = OptionalInt.of(resource.secret() ? 0600 : 0644);
        for (Step step : change.steps()) {
            switch ((FileSteps) step) {
                case FileSteps.Write write -> {
                    boolean file = work.files().stat(path).filter(Stat::isFile).isPresent();
                    write(resource, path, attributes(resource, path, work, file ? OptionalInt.empty() : fresh), work);
                }
                case FileSteps.Change set -> {
                    Attributes wanted = attributes(resource, path, work, OptionalInt.empty());
                    if (work.files().fixed(path)) {
                        work.files().change(path, wanted);
                    } else {
                        // Where others may rename, it could be another file by now that is given away: a new one
                        // cannot.
                        write(resource, path, wanted, work);
                    }
                }
                case FileSteps other -> PathWork.carryOut(other, change, work);
            }
        }
        return PathWork.done(path, change, work, clock);
    }

    private static Attributes attributes(FileResource resource, Path path, Work work, OptionalInt modeOfNew) {
        Attributes declared = FileSight.ownership(resource).attributes(work.accounts(), modeOfNew);
        return resource.secret() && !work.files().fixed(path) ? chosenByNobody(declared, work) : declared;
    }

    /** Nothing is kept of what stands there: whoever may put a file there would choose by it who reads the secret. */
    private static Attributes chosenByNobody(Attributes declared, Work work) {
        boolean root = work.accounts().root();
        return new Attributes(
                OptionalInt.of(declared.mode().orElse(0600)),
                root ? OptionalInt.of(declared.uid().orElse(0)) : declared.uid(),
                root ? OptionalInt.of(declared.gid().orElse(0)) : declared.gid());
    }

    private static void write(FileResource resource, Path path, Attributes attributes, Work work) {
        Files files = work.files();
        switch (resource.content()) {
            case Content.Text text -> files.write(path, text.text().getBytes(StandardCharsets.UTF_8), attributes);
            case Content.Fetched fetched -> {
                Path bytes = Supply.file(fetched.bytes(), work.bundles(), work.progress());
                try (InputStream in = java.nio.file.Files.newInputStream(bytes)) {
                    files.write(path, in, attributes);
                } catch (IOException failure) {
                    throw new MachineFailure(
                            "cannot write " + path + ": " + bytes + " cannot be read (" + failure.getMessage()
                                    + "); apply again",
                            failure);
                }
            }
        }
    }

    @Override
    public Optional<String> settle(FileResource resource, Applied row, Work work) {
        Path path = work.places().real(resource.path());
        return PathWork.settle(path, row, work, resource.secret(), clock);
    }

    @Override
    public FileSeen observeUndeclared(Applied recorded, Sight sight) {
        return FileGone.of(recorded, sight);
    }

    @Override
    public Change planUndeclare(Applied recorded, FileSeen seen, Facts facts) {
        return switch (seen) {
            case FileGone gone -> gone.plan(recorded, facts);
            case FileSight declared -> throw new IllegalStateException(recorded.id() + " is still declared");
        };
    }

    @Override
    public Done undeclare(Applied recorded, Change change, Work work) {
        change.steps().forEach(step -> PathWork.carryOut((FileSteps) step, change, work));
        return new Done(change.detail(), "", recorded.notes());
    }
}
