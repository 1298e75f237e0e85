package io.meshhost.apply.testing;

import io.meshhost.bundle.BundleFailure;
import io.meshhost.bundle.Bundles;
import io.meshhost.bundle.Entry;
import io.meshhost.machine.Files;
import io.meshhost.machine.Files.Attributes;
import io.meshhost.machine.Progress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Bundles in memory; unpacking goes through {@link Files}, so that the power can be cut in it. */
public final class BoxBundles implements Bundles {
    private final Path folder;
    private final Map<String, Map<String, String>> published = new LinkedHashMap<>();
    private final Set<String> stored = new HashSet<>();
    public final List<String> fetched = new ArrayList<>();
    public final List<String> unpacked = new ArrayList<>();
    public Files files;

    public BoxBundles(Path folder, Files files) {
        this.folder = folder;
        this.files = files;
    }

    /** @param contents by name; a name that ends in {@code *} is executable */
    public String publish(String digit, Map<String, String> contents) {
        String sha256 = digit.repeat(64);
        published.put(sha256, new java.util.TreeMap<>(contents));
        return sha256;
    }

    public boolean isPublished(String sha256) {
        return published.containsKey(sha256);
    }

    @Override
    public Optional<Path> stored(String sha256) {
        return stored.contains(sha256) ? Optional.of(folder.resolve(sha256)) : Optional.empty();
    }

    @Override
    public Path fetch(URI source, String sha256, Progress progress) {
        if (!published.containsKey(sha256)) {
            throw new BundleFailure("cannot fetch " + source + ": 404");
        }
        if (stored.add(sha256)) {
            fetched.add(sha256);
        }
        write(folder.resolve(sha256));
        return folder.resolve(sha256);
    }

    private static void write(Path blob) {
        try {
            java.nio.file.Files.createDirectories(blob.getParent());
            java.nio.file.Files.writeString(blob, "blob");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String digest(Path file) {
        return String.valueOf(file.getFileName());
    }

    @Override
    public List<Entry> list(Path archive, int strip) {
        List<Entry> entries = new ArrayList<>();
        contents(archive).forEach((name, content) -> entries.add(entry(name, content)));
        return entries;
    }

    private Map<String, String> contents(Path archive) {
        return published.getOrDefault(String.valueOf(archive.getFileName()), Map.of());
    }

    private static Entry entry(String name, String content) {
        boolean program = name.endsWith("*");
        String plain = program ? name.substring(0, name.length() - 1) : name;
        if (name.endsWith("/")) {
            return new Entry(Path.of(plain), Entry.Type.DIRECTORY, 0755, 0, Optional.empty());
        }
        return new Entry(Path.of(plain), Entry.Type.FILE, program ? 0755 : 0644, content.length(), Optional.empty());
    }

    @Override
    public List<Entry> unpack(Path archive, int strip, Path into, Owner owner, Progress progress) {
        if (java.nio.file.Files.exists(into)) {
            throw new IllegalStateException(into + " is there already");
        }
        unpacked.add(archive.getFileName() + " as " + owner.uid() + ":" + owner.gid());
        files.makeDirectory(into, Attributes.mode(0755));
        contents(archive).forEach((name, content) -> put(into, entry(name, content), content));
        files.sync();
        return list(archive, strip);
    }

    private void put(Path into, Entry entry, String content) {
        Path path = into.resolve(entry.path());
        if (entry.type() == Entry.Type.DIRECTORY) {
            files.makeDirectory(path, Attributes.mode(0755));
        } else {
            files.write(
                    path,
                    content.getBytes(StandardCharsets.UTF_8),
                    new Attributes(OptionalInt.of(entry.mode()), OptionalInt.empty(), OptionalInt.empty()));
        }
    }

    @Override
    public void prune(Set<String> keep) {
        stored.retainAll(keep);
    }
}
