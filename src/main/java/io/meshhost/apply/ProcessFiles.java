package io.meshhost.apply;

import io.meshhost.apply.ProcessSight.Verdict;
import io.meshhost.declaration.Resource.ProcessResource;
import io.meshhost.machine.Files;
import io.meshhost.machine.Files.Attributes;
import io.meshhost.machine.Stat;
import io.meshhost.machine.services.Services.UnitFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The unit files and secrets of one process: written only when they differ, put back when it has to be. */
final class ProcessFiles {
    private static final int PRIVATE_DIRECTORY = 0700;
    private static final int PRIVATE_FILE = 0600;
    private static final int OPEN_DIRECTORY = 0755;
    private static final int OPEN_FILE = 0644;
    private static final long LIMIT = 1 << 20;

    private final Work work;
    private final Files files;
    private final ProcessHome home;

    ProcessFiles(Work work, String name) {
        this.work = work;
        this.files = work.files();
        this.home = new ProcessHome(work.places(), name);
    }

    /** A write that was cut off leaves its temporary file, whatever the file was to say. */
    void sweep() {
        List<Path> paths = new ArrayList<>(work.services().filesOf(home.name()));
        paths.add(home.secret());
        paths.add(home.secretAside());
        files.sweep(paths);
    }

    /** Before any change is carried out: one reload then covers the units of all processes. */
    boolean stage(ProcessResource resource, Change change, Clock clock) {
        if (change.steps().stream().noneMatch(ProcessStep.Write.class::isInstance)) {
            return false;
        }
        Optional<ProcessNotes> notes = change.recorded().flatMap(ProcessNotes::read);
        return switch (new ProcessVerdict(ProcessDoors.of(work), clock).of(resource, notes)) {
            case Verdict.Wanted wanted -> install(wanted.wanted().files());
            case Verdict.Impossible impossible -> false;
            case Verdict.Elsewhere elsewhere -> false;
            case Verdict.Nothing nothing -> false;
        };
    }

    /**
     * Writes what differs.
     *
     * @return whether a file that the supervisor reads was written
     */
    boolean install(List<UnitFile> wanted) {
        boolean units = false;
        for (UnitFile file : wanted) {
            if (write(file)) {
                units |= !file.path().equals(home.secret());
            }
        }
        files.sync();
        return units;
    }

    private boolean write(UnitFile file) {
        byte[] content = file.content().getBytes(StandardCharsets.UTF_8);
        int mode = file.sensitive() ? PRIVATE_FILE : OPEN_FILE;
        if (same(file.path(), content, mode)) {
            return false;
        }
        if (file.path().equals(home.secret())) {
            keepSecret();
        }
        parents(file.path());
        files.write(file.path(), content, Attributes.mode(mode));
        return true;
    }

    private boolean same(Path path, byte[] content, int mode) {
        Optional<Stat> stat = files.stat(path).filter(Stat::isFile);
        return stat.isPresent()
                && stat.get().size() == content.length
                && (mode == OPEN_FILE || stat.get().mode() == mode)
                && Arrays.equals(files.read(path, LIMIT), content);
    }

    /** The first copy is of the last version that worked; a later one would be of one that is on trial. */
    private void keepSecret() {
        boolean kept = files.stat(home.secretAside()).isPresent();
        if (!kept && files.stat(home.secret()).filter(Stat::isFile).isPresent()) {
            files.write(home.secretAside(), files.read(home.secret(), LIMIT), Attributes.mode(PRIVATE_FILE));
            // On disk before the original goes, or a power cut could leave neither.
            files.sync();
        }
    }

    /** The folders above a file of ours. */
    void parents(Path path) {
        for (Path parent : files.missingParents(path)) {
            directory(parent);
        }
    }

    private void directory(Path path) {
        boolean ours = path.startsWith(work.places().stateDir());
        files.makeDirectory(path, Attributes.mode(ours ? PRIVATE_DIRECTORY : OPEN_DIRECTORY));
    }

    /** Deletes a file of the process; secrets are kept aside until the new version works. */
    void delete(Path path) {
        if (path.equals(home.secret())) {
            keepSecret();
        }
        files.delete(path);
    }

    /** The new version works: the old secrets are of no use any more. */
    void settle() {
        files.delete(home.secretAside());
    }

    /**
     * Makes the files those of the version in the notes again; without notes there is no such version, and none
     * stays.
     *
     * @return whether a file that the supervisor reads changed
     */
    boolean restore(Optional<ProcessNotes> notes) {
        boolean units = install(notes.map(ProcessNotes::files).orElse(List.of()));
        List<Path> kept = notes.map(ProcessNotes::files).orElse(List.of()).stream()
                .map(UnitFile::path)
                .toList();
        for (Path path : work.services().filesOf(home.name())) {
            if (!kept.contains(path)
                    && !path.equals(home.secret())
                    && files.stat(path).isPresent()) {
                files.delete(path);
                units = true;
            }
        }
        restoreSecret(notes.filter(ProcessNotes::secrets).isPresent());
        files.sync();
        return units;
    }

    private void restoreSecret(boolean had) {
        if (files.stat(home.secretAside()).isPresent()) {
            files.move(home.secretAside(), home.secret());
        } else if (!had) {
            files.delete(home.secret());
        }
    }
}
