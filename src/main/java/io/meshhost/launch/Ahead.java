package io.meshhost.launch;

import io.meshhost.machine.Looks;
import io.meshhost.machine.linux.Changes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** What the files said when there was time to read them, for as long as nothing has changed since. */
final class Ahead implements AutoCloseable {
    private final Path stateDir;
    private final Path versions;
    private final Path placed;
    private Optional<Changes> changes = Optional.empty();
    private Optional<Scene> scene = Optional.empty();

    /**
     * @param placed the host placed by hand
     */
    Ahead(Path stateDir, Path versions, Path placed) {
        this.stateDir = stateDir;
        this.versions = versions;
        this.placed = placed;
    }

    /** Empty: nothing was read, or it is not true any more. */
    Optional<Scene> scene() {
        return scene.isPresent() && changes.filter(Changes::none).isPresent() ? scene : Optional.empty();
    }

    /** Reads where that is needed. */
    void read(Supplier<Scene> reading) {
        if (scene().isPresent()) {
            return;
        }
        Changes anew = changes.orElseGet(Changes::new);
        changes = Optional.of(anew);
        anew.forget();
        // First watched, then read: what changes in between is seen as a change, and read again.
        scene = watched(anew) ? Optional.of(reading.get()) : Optional.empty();
    }

    void drop() {
        scene = Optional.empty();
    }

    /**
     * False where a directory lies behind a link: that can be turned elsewhere without a word. Behind the link of a program
     * there is one that can be started or not, and when it cannot, everything is read anew.
     */
    private boolean watched(Changes anew) {
        // Watched before it is listed: one that comes meanwhile is seen.
        List.of(stateDir, versions, versions.resolveSibling("rollback"), placed).forEach(name -> watch(anew, name));
        for (Path version : Looks.names(versions, new ArrayList<>())) {
            watch(anew, version.resolve(Choosing.BINARY));
        }
        return straight(nearest(stateDir)) && straight(nearest(versions));
    }

    /** The name, and what it lies in; of what is not there, the nearest that is. */
    private static void watch(Changes anew, Path name) {
        Path at;
        do {
            // Again when one was made meanwhile: it is to be watched itself.
            at = nearest(name);
            anew.watch(at);
        } while (!nearest(name).equals(at));
        if (at.equals(name) && name.getParent() != null) {
            anew.watch(name.getParent());
        }
    }

    private static boolean straight(Path directory) {
        return Looks.real(directory).equals(directory);
    }

    private static Path nearest(Path name) {
        Path at = name;
        while (!Looks.there(at) && at.getParent() != null) {
            at = at.getParent();
        }
        return at;
    }

    @Override
    public void close() {
        changes.ifPresent(Changes::close);
        scene = Optional.empty();
    }
}
