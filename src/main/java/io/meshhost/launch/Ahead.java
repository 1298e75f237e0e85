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

    /** False where a name leads over links: they can be turned elsewhere without a word. */
    private boolean watched(Changes anew) {
        List<Path> names = new ArrayList<>(List.of(stateDir, versions, versions.resolveSibling("rollback"), placed));
        // The directory above is there before its names are listed: one that comes meanwhile is seen.
        names.forEach(name -> watch(anew, name));
        for (Path version : Looks.names(versions, new ArrayList<>())) {
            names.add(version);
            watch(anew, version.resolve(Choosing.BINARY));
        }
        return names.stream().allMatch(name -> straight(name.resolveSibling("")));
    }

    /** The name, and what it lies in; of what is not there, the nearest that is. */
    private static void watch(Changes anew, Path name) {
        Path at = name;
        while (!Looks.there(at) && at.getParent() != null) {
            at = at.getParent();
        }
        anew.watch(at);
        if (at.equals(name) && name.getParent() != null) {
            anew.watch(name.getParent());
        }
    }

    private static boolean straight(Path directory) {
        return Looks.real(directory).equals(directory);
    }

    @Override
    public void close() {
        changes.ifPresent(Changes::close);
        scene = Optional.empty();
    }
}
