package io.meshhost.machine.services;

import io.meshhost.machine.Files;
import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.Stat;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The descriptions that the engine installed, and what is remembered of each: enabled or not, last fired. */
final class BuiltinStore {
    private static final long LIMIT = 4 * 1024 * 1024;
    private static final Files.Attributes PRIVATE = Files.Attributes.mode(0600);
    private final Files files;
    private final BuiltinPlaces places;
    private final Map<String, Read> known = new HashMap<>();

    BuiltinStore(Files files, BuiltinPlaces places) {
        this.files = files;
        this.places = places;
    }

    /** What the files looked like when they were read: each write of ours makes a new inode. */
    private record Signature(Stat service, Optional<Stat> timer) {}

    private record Read(Signature signature, Installed installed) {}

    /** One description, or why there is none to be had of it. */
    sealed interface Installed {}

    record Understood(ProcessSpec spec) implements Installed {}

    record Damaged(MachineFailure why) implements Installed {}

    /** All that is installed, by name; only what changed since the last call is read again. */
    synchronized SortedMap<String, Installed> load() {
        SortedMap<String, Installed> out = new TreeMap<>();
        for (Path file : files.list(places.directory())) {
            BuiltinPlaces.described(file).ifPresent(name -> {
                Path timer = places.description(BuiltinPlaces.timer(name));
                files.stat(file).filter(Stat::isFile).ifPresent(stat -> {
                    Signature now = new Signature(stat, files.stat(timer));
                    Read read = known.get(name);
                    if (read == null || !read.signature().equals(now)) {
                        read = new Read(now, read(file, timer, now.timer().isPresent()));
                        known.put(name, read);
                    }
                    out.put(name, read.installed());
                });
            });
        }
        known.keySet().retainAll(out.keySet());
        return out;
    }

    private Installed read(Path service, Path timer, boolean scheduled) {
        try {
            return new Understood(BuiltinDescription.read(
                    text(service), scheduled ? Optional.of(text(timer)) : Optional.empty(), service));
        } catch (MachineFailure e) {
            // One damaged file must not take the others down; whoever asks for it is told.
            return new Damaged(e);
        }
    }

    boolean installed(String unit) {
        return files.stat(places.description(unit)).isPresent();
    }

    boolean enabled(String unit) {
        return files.stat(places.enabled(unit)).isPresent();
    }

    /** Nothing is written where it is so already. */
    void enable(String unit) {
        if (!enabled(unit)) {
            write(places.enabled(unit), new byte[0]);
        }
    }

    void disable(String unit) {
        delete(places.enabled(unit));
    }

    Optional<Instant> stamp(String name) {
        Path file = places.stamp(name);
        if (files.stat(file).isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Instant.parse(text(file).strip()));
        } catch (DateTimeException e) {
            // As if it had never fired: better one run not caught up than one that comes at every start.
            return Optional.empty();
        }
    }

    void stamp(String name, Instant when) {
        write(places.stamp(name), (when + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Who runs, for a host that comes after this one. */
    void running(String json) {
        write(places.running(), json.getBytes(StandardCharsets.UTF_8));
    }

    Optional<String> running() {
        return files.stat(places.running()).map(_ -> text(places.running()));
    }

    /** Removes what is left of processes that are neither installed nor in the set. */
    void sweep(Set<String> alive) {
        for (Path file : files.list(places.directory())) {
            BuiltinPlaces.traced(file)
                    .filter(name -> !alive.contains(name) && !installed(BuiltinPlaces.service(name)))
                    .ifPresent(_ -> delete(file));
        }
    }

    private String text(Path file) {
        return new String(files.read(file, LIMIT), StandardCharsets.UTF_8);
    }

    private synchronized void write(Path file, byte[] bytes) {
        if (files.stat(places.directory()).isEmpty()) {
            files.missingParents(places.directory())
                    .forEach(parent -> files.makeDirectory(parent, Files.Attributes.mode(0700)));
            files.makeDirectory(places.directory(), Files.Attributes.mode(0700));
        }
        files.write(file, bytes, PRIVATE);
        files.sync();
    }

    private synchronized void delete(Path file) {
        if (files.stat(file).isPresent()) {
            files.delete(file);
            files.sync();
        }
    }
}
