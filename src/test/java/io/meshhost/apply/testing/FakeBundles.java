package io.meshhost.apply.testing;

import io.meshhost.bundle.BundleFailure;
import io.meshhost.bundle.Bundles;
import io.meshhost.bundle.Entry;
import io.meshhost.machine.Files;
import io.meshhost.machine.Files.Attributes;
import io.meshhost.machine.Progress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Bundles whose archives are lines of text, {@code path=content} or {@code path/} for a directory; unpacked
 * through the numbered {@link Files}, so that the power can be cut within an unpacking, too.
 */
public final class FakeBundles implements Bundles {
    private final Files files;
    private final Path store;
    private final Map<String, Path> blobs = new TreeMap<>();
    private final List<Set<String>> pruned = new ArrayList<>();

    public FakeBundles(Files files, Path store) {
        this.files = files;
        this.store = store;
    }

    /** Puts bytes where a source would have them; gives their digest. */
    public String publish(String content) {
        try {
            java.nio.file.Files.createDirectories(store);
            String sha = sha(content);
            Path blob = store.resolve(sha);
            java.nio.file.Files.writeString(blob, content);
            blobs.put(sha, blob);
            return sha;
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** Everything published. */
    public List<String> all() {
        return blobs.values().stream().map(this::text).toList();
    }

    /** Digest of what {@link #publish} takes. */
    public static String sha(String content) {
        try {
            return java.util.HexFormat.of()
                    .formatHex(java.security.MessageDigest.getInstance("SHA-256")
                            .digest(content.getBytes(StandardCharsets.UTF_8)));
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Optional<Path> stored(String sha256) {
        return Optional.ofNullable(blobs.get(sha256));
    }

    @Override
    public Path fetch(URI source, String sha256, Progress progress) {
        return stored(sha256)
                .orElseThrow(() -> new BundleFailure("cannot fetch " + source + ": it does not answer; check it"));
    }

    @Override
    public String digest(Path file) {
        return files.sha256(file);
    }

    @Override
    public List<Entry> list(Path archive, int strip) {
        List<Entry> entries = new ArrayList<>();
        Set<String> made = new TreeSet<>();
        for (String line : text(archive).lines().toList()) {
            int equals = line.indexOf('=');
            String name = equals < 0 ? line.substring(0, line.length() - 1) : line.substring(0, equals);
            for (int slash = name.indexOf('/'); slash > 0; slash = name.indexOf('/', slash + 1)) {
                directory(name.substring(0, slash), made, entries);
            }
            if (equals < 0) {
                directory(name, made, entries);
            } else {
                entries.add(
                        new Entry(Path.of(name), Entry.Type.FILE, 0644, line.length() - equals - 1, Optional.empty()));
            }
        }
        return entries;
    }

    private static void directory(String name, Set<String> made, List<Entry> entries) {
        if (made.add(name)) {
            entries.add(new Entry(Path.of(name), Entry.Type.DIRECTORY, 0755, 0, Optional.empty()));
        }
    }

    @Override
    public List<Entry> unpack(Path archive, int strip, Path into, Owner owner, Progress progress) {
        Map<String, String> contents = new TreeMap<>();
        text(archive)
                .lines()
                .filter(line -> line.contains("="))
                .forEach(line ->
                        contents.put(line.substring(0, line.indexOf('=')), line.substring(line.indexOf('=') + 1)));
        List<Entry> entries = list(archive, strip);
        files.makeDirectory(into, Attributes.mode(0755));
        for (Entry entry : entries) {
            Path path = into.resolve(entry.path());
            if (entry.type() == Entry.Type.DIRECTORY) {
                files.makeDirectory(path, Attributes.mode(0755));
            } else {
                String content = contents.get(entry.path().toString());
                files.write(path, content.getBytes(StandardCharsets.UTF_8), Attributes.mode(0644));
            }
        }
        files.sync();
        return entries;
    }

    private String text(Path archive) {
        return new String(files.read(archive, 1 << 20), StandardCharsets.UTF_8);
    }

    @Override
    public void prune(Set<String> keep) {
        pruned.add(Set.copyOf(keep));
    }

    /** What each pruning was told to keep, in order. */
    public List<Set<String>> pruned() {
        return List.copyOf(pruned);
    }
}
