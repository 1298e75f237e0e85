package io.meshhost.launch;

import io.meshhost.machine.Files;
import io.meshhost.machine.Files.Attributes;
import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.Stat;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The small files of the state directory that supervisor, host, operator and the shell launcher share (SPEC 1). */
final class StateDir {
    static final String ATTEMPTS = "start-attempts";
    static final String HALTED = "halted";
    static final String PINNED = "rollback-pinned";
    static final String BY_OPERATOR = "pinned-by-operator";
    static final String ATTEMPTED = "rollback-attempted";
    static final String KNOWN_GOOD = "known-good";
    static final String REJECTED = "rejected";
    static final String ARRIVALS = "arrivals";
    static final String DIGESTS = "version-digests";
    static final String SUPERVISOR = "supervisor.json";

    private static final long LIMIT = 1 << 20;

    private final Path directory;
    private final Files files;

    StateDir(Path directory, Files files) {
        this.directory = directory;
        this.files = files;
    }

    Path path(String name) {
        return directory.resolve(name);
    }

    boolean there(String name) {
        return stat(name).isPresent();
    }

    /** As {@link #there}; what cannot be looked at is not there: that must never be a reason to give up. */
    boolean seen(String name) {
        try {
            return there(name);
        } catch (MachineFailure failure) {
            return false;
        }
    }

    /**
     * By what a host that knows no socket shows that it is well.
     *
     * @param knownGood another one when it was written again, with the same names too
     * @param counter whether there is one
     */
    record Mark(Optional<Stat> knownGood, boolean counter) {}

    Mark mark() {
        return new Mark(sight(KNOWN_GOOD), seen(ATTEMPTS));
    }

    /** As {@link #stat}; what cannot be looked at is not there. */
    Optional<Stat> sight(String name) {
        try {
            return stat(name);
        } catch (MachineFailure failure) {
            return Optional.empty();
        }
    }

    Optional<Stat> stat(String name) {
        return files.stat(path(name));
    }

    /**
     * Empty where there is none.
     *
     * @throws MachineFailure when something is there and cannot be read as a small file
     */
    Optional<String> text(String name) {
        return there(name)
                ? Optional.of(new String(files.read(path(name), LIMIT), StandardCharsets.UTF_8))
                : Optional.empty();
    }

    /** As {@link #text}; what cannot be read is noted and counts as absent. */
    Optional<String> text(String name, List<String> notes) {
        try {
            return text(name);
        } catch (MachineFailure failure) {
            notes.add(name + " cannot be read and counts as absent: " + failure.sentence());
            return Optional.empty();
        }
    }

    /** Atomic: the whole old text, or the whole new one, whatever happens. */
    void write(String name, String text) {
        files.write(path(name), text.getBytes(StandardCharsets.UTF_8), Attributes.mode(0600));
        files.sync();
    }

    void remove(String name) {
        if (there(name)) {
            files.delete(path(name));
            files.sync();
        }
    }

    /** Makes the directory where it is missing, 0700. */
    void make() {
        for (Path missing : files.missingParents(path("x"))) {
            files.makeDirectory(missing, Attributes.mode(missing.equals(directory) ? 0700 : 0755));
        }
        files.sync();
    }
}
