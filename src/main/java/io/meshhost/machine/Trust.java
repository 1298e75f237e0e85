package io.meshhost.machine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Whether root may believe what a file says (SPEC 2): who else can write it, or put another in its place, would be
 * root too.
 */
public final class Trust {
    private static final int OTHERS_WRITE = 0022;
    private static final int STICKY = 01000;

    private Trust() {}

    /**
     * Why the file is not to be believed, as one sentence with the next step; empty when it may be, when it does not exist,
     * and always when this program is not root.
     */
    public static Optional<String> complaint(Path file) {
        return complaint(file, Self.read().uid());
    }

    static Optional<String> complaint(Path file, int caller) {
        if (caller != 0) {
            return Optional.empty();
        }
        Path named = file.toAbsolutePath().normalize();
        try {
            if (Stats.find(named).isEmpty()) {
                return Optional.empty();
            }
            Optional<String> reason = chain(named);
            Path real = named.toRealPath();
            if (reason.isEmpty() && !real.equals(named)) {
                reason = chain(real);
            }
            return reason.map(why -> "cannot trust " + file + ": " + why
                    + "; give it to root, take away others' right to write, or say --trust-file");
        } catch (IOException e) {
            throw new Failures(path -> "").of("look at", file, e);
        }
    }

    /** The file, its directory, and each directory above. */
    private static Optional<String> chain(Path file) throws IOException {
        Stat entry = Stats.lstat(file).orElseThrow();
        if (entry.uid() != 0) {
            return Optional.of("it belongs to uid " + Integer.toUnsignedString(entry.uid()));
        }
        if (!entry.isLink() && (entry.mode() & OTHERS_WRITE) != 0) {
            return Optional.of("others than root may write it");
        }
        boolean direct = true;
        for (Path at = file.getParent(); at != null; at = at.getParent()) {
            Stat directory = Stats.find(at).orElseThrow();
            if (directory.uid() != 0) {
                return Optional.of("its directory " + at + " belongs to uid " + directory.uid());
            }
            // Further up, a sticky directory does no harm: root's directory in it can be replaced by root only.
            boolean sticky = !direct && (directory.mode() & STICKY) != 0 && entry.uid() == 0;
            if ((directory.mode() & OTHERS_WRITE) != 0 && !sticky) {
                return Optional.of("others than root may write its directory " + at);
            }
            entry = directory;
            direct = false;
        }
        return Optional.empty();
    }
}
