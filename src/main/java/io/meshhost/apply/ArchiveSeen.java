package io.meshhost.apply;

import io.meshhost.bundle.Entry;
import io.meshhost.declaration.Resource.ArchiveResource;
import io.meshhost.declaration.Resource.Bytes;
import io.meshhost.machine.Files;
import io.meshhost.machine.Stat;
import io.meshhost.record.Applied;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
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
     * @param found what the archive would unpack, where all of it stands there already and the record is being rebuilt
     * @param diff names and sizes
     */
    record Wanted(
            Path path,
            Supply supply,
            Optional<Stat> stat,
            boolean interrupted,
            List<Path> touched,
            Way way,
            Optional<ArchiveEntries> found,
            Diff diff)
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

    static Wanted wanted(
            ArchiveResource resource,
            Optional<Applied> recorded,
            Optional<Stat> stat,
            Sight sight,
            InstantSource clock) {
        Path path = sight.places().real(resource.path());
        Supply supply = Supply.of(resource.bytes(), sight.bundles());
        ArchiveEntries entries =
                recorded.map(row -> ArchiveJournal.ours(row.notes(), stat)).orElseGet(ArchiveEntries::none);
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
                sight.adopting() && recorded.isEmpty() && stat.isPresent()
                        ? found(resource, path, supply, sight, clock)
                        : Optional.empty(),
                same && touched.isEmpty() ? Diff.NONE : Diff.looking(() -> diff(resource, entries, supply, sight)));
    }

    /**
     * Type, mode, size and where links point are compared, not the bytes: the listing has none. It is asked only
     * where the archive itself is still here.
     */
    private static Optional<ArchiveEntries> found(
            ArchiveResource resource, Path path, Supply supply, Sight sight, InstantSource clock) {
        Optional<Path> archive = switch (resource.bytes()) {
            case Bytes.Given given -> Optional.of(given.file());
            case Bytes.Published published ->
                supply instanceof Supply.Known known ? sight.bundles().stored(known.sha256()) : Optional.empty();
            case Bytes.Unpublished unpublished -> Optional.empty();
            case Bytes.OtherSystem other -> Optional.empty();
        };
        return archive.map(file -> sight.bundles().list(file, resource.strip()))
                .filter(entries -> entries.stream().allMatch(entry -> stands(path, entry, sight.files())))
                .map(entries -> ArchiveEntries.taken(path, withFolders(entries), sight.files(), clock));
    }

    /** A listing need not name the directories that unpacking makes on the way; they are the archive's, too. */
    private static List<Entry> withFolders(List<Entry> entries) {
        Map<Path, Entry> all = new LinkedHashMap<>();
        for (Entry entry : entries) {
            for (int names = 1; names < entry.path().getNameCount(); names++) {
                Path folder = entry.path().subpath(0, names);
                all.putIfAbsent(folder, new Entry(folder, Entry.Type.DIRECTORY, 0755, 0, Optional.empty()));
            }
            all.put(entry.path(), entry);
        }
        return List.copyOf(all.values());
    }

    /** Whether just that is there. */
    static boolean stands(Path root, Entry entry, Files files) {
        Path path = root.resolve(entry.path());
        Optional<Stat> stat = files.stat(path).filter(there -> sameType(there, entry.type()));
        return switch (entry.type()) {
            case FILE ->
                stat.filter(there -> there.mode() == entry.mode() && there.size() == entry.size())
                        .isPresent();
            case DIRECTORY -> stat.filter(there -> there.mode() == entry.mode()).isPresent();
            case LINK -> stat.isPresent() && files.readLink(path).equals(entry.link());
        };
    }

    static String want(ArchiveResource resource, String sha256) {
        return sha256 + " strip=" + resource.strip();
    }

    /** The digest in a {@link #want}. */
    static String digest(String want) {
        return want.substring(0, want.indexOf(' '));
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
        Path aside = ArchiveSwap.aside(path);
        Path at = files.stat(path).isEmpty() && files.stat(aside).isPresent() ? aside : path;
        Optional<Stat> stat = files.stat(at).filter(Stat::isDirectory);
        ArchiveEntries entries = ArchiveJournal.ours(row.notes(), stat);
        List<Path> there = new ArrayList<>();
        Set<Path> changed = new HashSet<>();
        if (stat.isPresent()) {
            Set<Path> touched = new HashSet<>(entries.touched(at, files));
            Set<Path> folders = new HashSet<>();
            entries.of().forEach((relative, unpacked) -> {
                Optional<Stat> now = files.stat(at.resolve(relative));
                if (now.isPresent() && sameType(now.get(), unpacked.type()) && within(at, relative, folders, files)) {
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
                (at.equals(path) && files.stat(aside).isPresent()) || (stat.isPresent() && others(at, there, files)),
                EmptyParents.look(PathNotes.read(row.notes(), sight.places()).parents(), files));
    }

    private static boolean others(Path at, List<Path> there, Files files) {
        return others(at, at, new HashSet<>(there), files);
    }

    private static boolean sameType(Stat stat, Entry.Type type) {
        return switch (type) {
            case FILE -> stat.isFile();
            case DIRECTORY -> stat.isDirectory();
            case LINK -> stat.isLink();
        };
    }

    /**
     * Whether directories alone lead there: what stands behind a link that somebody put in the place of one is not ours.
     *
     * @param known directories that were looked at before
     */
    private static boolean within(Path root, Path relative, Set<Path> known, Files files) {
        Path folder = relative.getParent();
        if (folder == null || known.contains(folder)) {
            return true;
        }
        boolean real =
                files.stat(root.resolve(folder)).filter(Stat::isDirectory).isPresent()
                        && within(root, folder, known, files);
        if (real) {
            known.add(folder);
        }
        return real;
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
