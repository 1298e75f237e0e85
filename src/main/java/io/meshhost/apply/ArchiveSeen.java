package io.meshhost.apply;

import io.meshhost.bundle.Entry;
import io.meshhost.declaration.Resource.ArchiveResource;
import io.meshhost.machine.Files;
import io.meshhost.machine.Stat;
import io.meshhost.record.Applied;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What is seen of an archive's path: while it is declared, or once it no longer is. */
sealed interface ArchiveSeen {
    /**
     * @param interrupted a swap was cut short: something of it lies beside the path
     * @param touched entries that are not as they were unpacked; looked for only where the same archive is wanted
     * @param way down to it
     * @param diff names and sizes
     */
    record Wanted(
            Path path,
            Supply supply,
            Optional<Stat> stat,
            boolean interrupted,
            List<Path> touched,
            Way way,
            List<String> diff)
            implements ArchiveSeen {}

    /**
     * @param entries relative paths that are still there, a directory before what is in it
     * @param changed those of them that are files and were changed since
     * @param others whether something is there that was not unpacked
     * @param parents directories made for it with what they hold, innermost first
     */
    record Gone(
            Path path,
            Optional<Stat> stat,
            boolean interrupted,
            List<Path> entries,
            Set<Path> changed,
            boolean others,
            Map<Path, List<Path>> parents)
            implements ArchiveSeen {}

    static Wanted wanted(ArchiveResource resource, Optional<Applied> recorded, Optional<Stat> stat, Sight sight) {
        Path path = sight.places().real(resource.path());
        Supply supply = Supply.of(resource.bytes(), sight.bundles());
        ArchiveEntries entries =
                recorded.map(row -> ArchiveEntries.read(row.notes())).orElseGet(ArchiveEntries::none);
        boolean same = supply instanceof Supply.Known known
                && recorded.filter(row -> !row.pending() && row.want().equals(want(resource, known.sha256())))
                        .isPresent();
        List<Path> touched = same && stat.isPresent() ? entries.touched(path, sight.files()) : List.of();
        return new Wanted(
                path,
                supply,
                stat,
                interrupted(path, sight.files()),
                touched,
                same && stat.isPresent() && touched.isEmpty() ? Way.untrodden() : Way.to(path, stat, sight.files()),
                same && touched.isEmpty() ? List.of() : diff(resource, entries, supply, sight));
    }

    static String want(ArchiveResource resource, String sha256) {
        return sha256 + " strip=" + resource.strip();
    }

    private static boolean interrupted(Path path, Files files) {
        return files.littered(path) || files.stat(ArchiveSwap.aside(path)).isPresent();
    }

    /** Names only: what is unpacked is mostly no text, and its size is what people check. */
    private static List<String> diff(ArchiveResource resource, ArchiveEntries old, Supply supply, Sight sight) {
        if (!(supply instanceof Supply.Known known)) {
            return List.of();
        }
        List<String> lines = new ArrayList<>();
        lines.add("+ sha256 " + known.sha256() + " from " + Supply.from(resource.bytes()));
        Optional<Path> stored = sight.bundles().stored(known.sha256());
        if (stored.isPresent()) {
            Map<Path, Entry> fresh = new HashMap<>();
            for (Entry entry : sight.bundles().list(stored.get(), resource.strip())) {
                fresh.put(entry.path(), entry);
                if (!old.of().containsKey(entry.path()) && entry.type() != Entry.Type.DIRECTORY) {
                    lines.add("+ " + entry.path() + " (" + entry.size() + " bytes)");
                }
            }
            old.of().keySet().stream().filter(path -> !fresh.containsKey(path)).forEach(path -> lines.add("- " + path));
        }
        return bounded(lines);
    }

    private static List<String> bounded(List<String> lines) {
        int shown = 60;
        if (lines.size() <= shown) {
            return List.copyOf(lines);
        }
        List<String> some = new ArrayList<>(lines.subList(0, shown));
        some.add("(" + (lines.size() - shown) + " more)");
        return some;
    }

    static Gone gone(Applied row, Sight sight) {
        Path path = sight.places().real(Path.of(row.target()));
        Files files = sight.files();
        // Between the two renames of a swap the old tree is under its other name: recovering puts it back.
        boolean cut = files.stat(path).isEmpty()
                && files.stat(ArchiveSwap.aside(path)).isPresent();
        Path at = cut ? ArchiveSwap.aside(path) : path;
        Optional<Stat> stat = files.stat(at).filter(Stat::isDirectory);
        ArchiveEntries entries = ArchiveEntries.read(row.notes());
        List<Path> there = new ArrayList<>();
        Set<Path> changed = new HashSet<>();
        if (stat.isPresent()) {
            // An interrupted row knows two trees, and cannot tell a file of the other one from a changed file.
            Set<Path> touched = row.pending() ? Set.of() : new HashSet<>(entries.touched(at, files));
            entries.of().forEach((relative, unpacked) -> {
                Optional<Stat> now = files.stat(at.resolve(relative));
                if (now.isPresent() && sameType(now.get(), unpacked.type())) {
                    there.add(relative);
                    if (touched.contains(relative) && now.get().isFile()) {
                        changed.add(relative);
                    }
                }
            });
        }
        return new Gone(
                path,
                stat,
                interrupted(path, files),
                there,
                changed,
                stat.isPresent() && others(at, at, new HashSet<>(there), files),
                EmptyParents.look(PathNotes.read(row.notes(), sight.places()).parents(), files));
    }

    private static boolean sameType(Stat stat, Entry.Type type) {
        return switch (type) {
            case FILE -> stat.isFile();
            case DIRECTORY -> stat.isDirectory();
            case LINK -> stat.isLink();
        };
    }

    private static boolean others(Path root, Path folder, Set<Path> ours, Files files) {
        for (Path child : files.list(folder)) {
            boolean directory = files.stat(child).filter(Stat::isDirectory).isPresent();
            if (!ours.contains(root.relativize(child)) || (directory && others(root, child, ours, files))) {
                return true;
            }
        }
        return false;
    }
}
