package io.meshhost.bundle;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The tree that an archive asks for, built entry by entry without touching the disk; refuses what may not
 * stand in it (SPEC 2). Pure.
 *
 * <p>Names are cut at slashes, empty ones and {@code .} dropped, then {@code strip} leading ones; what has no
 * more names than that is left out, as tar --strip-components does.
 */
final class Layout {
    private static final int SET_IDS = 06000;
    private static final int USUAL_DIRECTORY = 0755;
    private static final int OWNER_ENTERS = 0700;
    private static final int MOST_LINKS = 40;
    /** What a decoder puts in the place of bytes that are not UTF-8. */
    private static final char REPLACEMENT = '\uFFFD';

    private final String archive;
    private final int strip;
    private final Limits limits;
    private final Map<Path, Entry> entries = new LinkedHashMap<>();
    private final Map<Path, Path> hardLinks = new HashMap<>();

    Layout(String archive, int strip, Limits limits) {
        this.archive = archive;
        this.strip = strip;
        this.limits = limits;
    }

    /**
     * Adds an entry, and the directories on the way to it.
     *
     * @return what was added, last the entry itself; empty where stripping leaves nothing, and for a directory
     *     that is there already
     */
    List<Entry> add(Raw raw) {
        checkKind(raw);
        Optional<Path> stripped = path(raw.name(), raw);
        if (stripped.isEmpty()) {
            return List.of();
        }
        Path path = stripped.get();
        List<Entry> added = new ArrayList<>();
        addParents(path, raw, added);
        Entry entry = entry(raw, path);
        Entry there = entries.get(path);
        if (there != null && !(there.type() == Entry.Type.DIRECTORY && entry.type() == Entry.Type.DIRECTORY)) {
            throw refused(raw, "another entry has the same name");
        }
        put(entry);
        if (there == null) {
            added.add(entry);
        }
        return added;
    }

    /** All entries, directories made on the way included, in order; each directory with its last mode. */
    List<Entry> entries() {
        return List.copyOf(entries.values());
    }

    /** Hard links by their name, and the earlier file each stands for. */
    Map<Path, Path> hardLinks() {
        return Collections.unmodifiableMap(hardLinks);
    }

    /** Once all entries are known: no link leads out, by whatever other links it passes. */
    void checkLinks() {
        for (Entry entry : entries.values()) {
            if (entry.type() == Entry.Type.LINK) {
                checkLink(entry);
            }
        }
    }

    private void put(Entry entry) {
        entries.put(entry.path(), entry);
        if (entries.size() > limits.entries()) {
            throw new BundleFailure("cannot unpack " + archive + ": it holds more than " + limits.entries()
                    + " entries; split it, or check where it came from");
        }
    }

    private void checkKind(Raw raw) {
        switch (raw.kind()) {
            case DEVICE -> throw refused(raw, "it is a device node");
            case FIFO -> throw refused(raw, "it is a fifo");
            case SOCKET -> throw refused(raw, "it is a socket");
            case UNKNOWN -> throw refused(raw, "it is of an unknown kind");
            case FILE, DIRECTORY, HARDLINK -> {
                if ((raw.mode() & SET_IDS) != 0) {
                    throw refused(raw, "it carries setuid or setgid");
                }
            }
            case SYMLINK -> {
                // A link's own mode means nothing to Linux.
            }
        }
    }

    private Entry entry(Raw raw, Path path) {
        int mode = raw.mode() & 0777;
        return switch (raw.kind()) {
            case FILE -> new Entry(path, Entry.Type.FILE, mode, raw.size(), Optional.empty());
            case DIRECTORY -> new Entry(path, Entry.Type.DIRECTORY, mode | OWNER_ENTERS, 0, Optional.empty());
            case SYMLINK -> new Entry(path, Entry.Type.LINK, 0777, 0, Optional.of(target(raw)));
            case HARDLINK -> hardLink(raw, path);
            case DEVICE, FIFO, SOCKET, UNKNOWN -> throw new IllegalStateException("refused before");
        };
    }

    private String target(Raw raw) {
        String target = raw.link();
        if (target.isEmpty() || target.indexOf('\0') >= 0 || target.indexOf(REPLACEMENT) >= 0) {
            throw refused(raw, "it points to a name that is empty, holds a NUL or is not UTF-8");
        }
        if (target.startsWith("/")) {
            throw refused(raw, "it points outside, to " + target);
        }
        return target;
    }

    private Entry hardLink(Raw raw, Path path) {
        Path existing = path(raw.link(), raw).orElseThrow(() -> refused(raw, "it is a hard link to what was left out"));
        Entry first = entries.get(existing);
        if (first == null || first.type() != Entry.Type.FILE || existing.equals(path)) {
            throw refused(raw, "it is a hard link to " + raw.link() + ", which is no earlier file of the archive");
        }
        hardLinks.put(path, hardLinks.getOrDefault(existing, existing));
        return new Entry(path, Entry.Type.FILE, first.mode(), first.size(), Optional.empty());
    }

    /** The parents as directories; one that is there as anything else ends it. */
    private void addParents(Path path, Raw raw, List<Entry> added) {
        for (int names = 1; names < path.getNameCount(); names++) {
            Path parent = path.subpath(0, names);
            Entry there = entries.get(parent);
            if (there == null) {
                Entry made = new Entry(parent, Entry.Type.DIRECTORY, USUAL_DIRECTORY, 0, Optional.empty());
                put(made);
                added.add(made);
            } else if (there.type() == Entry.Type.LINK) {
                throw refused(raw, "it passes through the symbolic link " + parent);
            } else if (there.type() == Entry.Type.FILE) {
                throw refused(raw, "it passes through the file " + parent);
            }
        }
    }

    private Optional<Path> path(String name, Raw raw) {
        if (name.indexOf('\0') >= 0 || name.indexOf(REPLACEMENT) >= 0) {
            throw refused(raw, "its name holds a NUL or is not UTF-8");
        }
        if (name.startsWith("/")) {
            throw refused(raw, "it is absolute (" + name + ")");
        }
        List<String> names = new ArrayList<>();
        for (String part : name.split("/", -1)) {
            if (part.equals("..")) {
                throw refused(raw, "it climbs out (" + name + ")");
            }
            if (!part.isEmpty() && !part.equals(".")) {
                names.add(part);
            }
        }
        if (names.size() <= strip) {
            return Optional.empty();
        }
        try {
            return Optional.of(Path.of(String.join("/", names.subList(strip, names.size()))));
        } catch (InvalidPathException e) {
            throw new BundleFailure(
                    "cannot unpack " + archive + ": this program cannot form the name " + printable(name)
                            + "; start it with LC_ALL=C.UTF-8",
                    e);
        }
    }

    /** Follows the link through the tree as the kernel will, other links of the archive included. */
    private void checkLink(Entry link) {
        Deque<String> todo = new ArrayDeque<>();
        ahead(link.link().orElseThrow(), todo);
        List<String> at = names(link.path().getParent());
        int links = 0;
        while (!todo.isEmpty()) {
            String name = todo.pop();
            if (name.equals("..")) {
                if (at.isEmpty()) {
                    throw refused(
                            link.path().toString(),
                            "it points outside, to " + link.link().orElseThrow());
                }
                at.removeLast();
            } else {
                at.add(name);
                Entry there = entries.get(Path.of(String.join("/", at)));
                if (there != null && there.type() == Entry.Type.LINK) {
                    // A circle leads nowhere, so it leads nowhere outside either.
                    if (++links > MOST_LINKS) {
                        return;
                    }
                    at.removeLast();
                    ahead(there.link().orElseThrow(), todo);
                }
            }
        }
    }

    private static void ahead(String target, Deque<String> todo) {
        List<String> parts = List.of(target.split("/", -1));
        for (String part : parts.reversed()) {
            if (!part.isEmpty() && !part.equals(".")) {
                todo.push(part);
            }
        }
    }

    private static List<String> names(@org.jspecify.annotations.Nullable Path directory) {
        List<String> names = new ArrayList<>();
        if (directory != null) {
            directory.forEach(name -> names.add(name.toString()));
        }
        return names;
    }

    private BundleFailure refused(Raw raw, String why) {
        return refused(raw.name(), why);
    }

    private BundleFailure refused(String name, String why) {
        return refused(archive, name, why);
    }

    static BundleFailure refused(String archive, String name, String why) {
        return new BundleFailure("cannot unpack " + archive + ": the entry " + printable(name)
                + " may not be unpacked: " + printable(why) + "; pack it again without that");
    }

    /** A name goes to a terminal: what could move its cursor is shown as a question mark. */
    static String printable(String text) {
        StringBuilder shown = new StringBuilder();
        text.codePoints()
                .limit(300)
                .map(c -> Character.isISOControl(c) ? '?' : c)
                .forEach(shown::appendCodePoint);
        return shown.toString();
    }
}
