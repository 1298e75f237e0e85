package io.meshhost.launch;

import io.meshhost.machine.Files;
import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.Stat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * By what bytes a version is known: the digest of the archive that it was delivered as, else of its tree. Computed once and
 * remembered in {@code version-digests}, {@code sha256:HEX KEY NAME} a line; KEY names the program's inode and its time of
 * change, which no program can set back, so a line stops counting when other bytes stand under the name.
 */
final class Bytes {
    private final StateDir state;
    private final Files files;
    /** What could not be written is remembered here, so that a read-only disk does not cost a digest a turn. */
    private final Map<String, Named> unwritten = new HashMap<>();

    Bytes(StateDir state, Files files) {
        this.state = state;
        this.files = files;
    }

    /** The digest of a version that stands there whole. */
    String of(Path tree, String name) {
        Optional<String> key = key(tree);
        return remembered(name, key).orElseGet(() -> {
            String digest = TreeDigest.of(tree, files);
            key.ifPresent(known -> remember(name, digest, known));
            return digest;
        });
    }

    /** The digest of a version that stands there, if it can be told without reading its tree. */
    Optional<String> known(Path tree, String name) {
        try {
            return key(tree).flatMap(now -> remembered(name, Optional.of(now)));
        } catch (MachineFailure unreadable) {
            return Optional.empty();
        }
    }

    /**
     * All that the version would ever be known by: as {@link #of}, and by its tree, which counts when somebody touches the
     * program of a delivered one and its line so stops counting.
     */
    List<String> all(Path tree, String name) {
        String known = of(tree, name);
        try {
            return Stream.of(known, TreeDigest.of(tree, files)).distinct().toList();
        } catch (MachineFailure unreadable) {
            // One bad block in it must not keep the version from being rejected at all.
            return List.of(known);
        }
    }

    /** Notes that the tree, which may still be on its way to its name, was delivered as that archive. */
    void delivered(String name, Path tree, String digest) {
        key(tree).ifPresent(known -> remember(name, digest, known));
    }

    private Optional<String> key(Path tree) {
        return files.stat(tree.resolve(Choosing.BINARY)).map(Bytes::key);
    }

    private static String key(Stat program) {
        return program.inode() + "." + program.changedNanos();
    }

    /** Without a key, of a version that is gone: what it was last known by. */
    private Optional<String> remembered(String name, Optional<String> key) {
        List<Named> lines = new ArrayList<>(lines());
        Optional.ofNullable(unwritten.get(name)).ifPresent(lines::add);
        return lines.stream()
                .filter(line -> line.name().equals(name)
                        && key.filter(known -> !known.equals(line.words().get(1)))
                                .isEmpty())
                .map(line -> line.words().getFirst())
                .reduce((first, last) -> last);
    }

    private List<Named> lines() {
        return Named.parse(state.text(StateDir.DIGESTS, new ArrayList<>()), 2, () -> {});
    }

    private void remember(String name, String digest, String key) {
        Named line = new Named(List.of(digest, key), name);
        unwritten.put(name, line);
        List<Named> lines = new ArrayList<>(lines());
        lines.removeIf(old -> old.name().equals(name));
        lines.add(line);
        try {
            state.write(StateDir.DIGESTS, Named.text(lines));
        } catch (MachineFailure full) {
            // It is computed anew by the next program; nothing depends on it.
            return;
        }
    }

    /** Forgets what is not there any more. */
    void keepOnly(List<String> names) {
        List<Named> lines = lines();
        List<Named> kept =
                lines.stream().filter(line -> names.contains(line.name())).toList();
        if (kept.size() != lines.size()) {
            state.write(StateDir.DIGESTS, Named.text(kept));
        }
    }
}
