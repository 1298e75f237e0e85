package io.meshhost.bundle;

import io.meshhost.machine.Files;
import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.Progress;
import io.meshhost.machine.Stat;
import io.meshhost.machine.Ticker;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProxySelector;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * Blobs by digest in {@code DIR/sha256/HEX}, and what is unpacked from them.
 *
 * <p>A blob has its name only after all its bytes were hashed and are on the disk; so a name is enough to
 * trust it, and a power cut while fetching leaves nothing under a name.
 */
public final class ContentStore implements Bundles {
    private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");
    private static final Files.Attributes OWN_DIRECTORY = Files.Attributes.mode(0700);
    private static final Files.Attributes OWN_FILE = Files.Attributes.mode(0600);
    /** A source that gave wrong bytes is not asked again at every turn of a loop (BU-03). */
    private static final Duration WRONG_FOR = Duration.ofHours(1);

    private final Path directory;
    private final Path blobs;
    private final Files files;
    private final Ticker ticker;
    private final Sources sources;
    private final Limits limits;
    private final Map<Path, Known> digests = new ConcurrentHashMap<>();
    private final Map<String, Wrong> wrong = new ConcurrentHashMap<>();

    /** A digest, and how the file looked when it was made. */
    private record Known(Stat stat, String digest) {}

    private record Wrong(long nanos, String sentence) {}

    /**
     * @param directory {@code Places.bundles()}; made at the first fetch, its parent too
     * @param proxy for http and https; empty: none, whatever the environment says
     */
    public ContentStore(Path directory, Files files, Ticker ticker, Optional<ProxySelector> proxy) {
        this(directory, files, ticker, new Sources(ticker, proxy, Sources.Patience.USUAL), Limits.USUAL);
    }

    ContentStore(Path directory, Files files, Ticker ticker, Sources sources, Limits limits) {
        this.directory = directory;
        this.blobs = directory.resolve("sha256");
        this.files = files;
        this.ticker = ticker;
        this.sources = sources;
        this.limits = limits;
    }

    @Override
    public Optional<Path> stored(String sha256) {
        Path blob = blob(sha256);
        return files.stat(blob).filter(Stat::isFile).map(stat -> blob);
    }

    @Override
    public Path fetch(URI source, String sha256, Progress progress) {
        Optional<Path> here = stored(sha256);
        if (here.isPresent()) {
            return here.get();
        }
        refuseKnownWrong(source, sha256);
        try {
            makeDirectories();
            return sources.fetch(source, sha256, opened -> keep(source, sha256, opened, progress));
        } catch (WrongBytes e) {
            BundleFailure failure = e.failure(Sources.shown(source));
            wrong.put(source + " " + sha256, new Wrong(ticker.nanos(), failure.sentence()));
            throw failure;
        } catch (MachineFailure e) {
            throw new BundleFailure(e.sentence(), e);
        }
    }

    private void refuseKnownWrong(URI source, String sha256) {
        Wrong before = wrong.get(source + " " + sha256);
        if (before != null) {
            if (ticker.nanos() - before.nanos() < WRONG_FOR.toNanos()) {
                throw new BundleFailure(before.sentence());
            }
            wrong.remove(source + " " + sha256);
        }
    }

    private void makeDirectories() {
        for (Path missing : files.missingParents(blobs.resolve("x"))) {
            files.makeDirectory(missing, OWN_DIRECTORY);
        }
    }

    private Path keep(URI source, String sha256, Opened opened, Progress progress) throws IOException {
        Path blob = blob(sha256);
        long space = files.freeSpace(blobs);
        if (opened.size().isPresent() && opened.size().getAsLong() > space) {
            throw new BundleFailure("cannot fetch " + Sources.shown(source) + ": the disk is too full: it needs "
                    + Sizes.of(opened.size().getAsLong()) + ", " + directory + " has " + Sizes.of(space)
                    + "; free some space and apply again");
        }
        String what = "fetching " + Sources.lastName(source);
        try (InputStream in = new Hashed(opened, sha256, what, progress)) {
            files.write(blob, in, OWN_FILE);
        }
        files.sync();
        return blob;
    }

    @Override
    public String digest(Path file) {
        Optional<Stat> before = files.stat(file);
        Known known = digests.get(file);
        if (known != null && before.isPresent() && known.stat().equals(before.get())) {
            return known.digest();
        }
        try {
            String digest = files.sha256(file);
            // Only what did not change while it was read has the digest that was read.
            before.filter(stat -> files.stat(file).filter(stat::equals).isPresent())
                    .ifPresent(stat -> digests.put(file, new Known(stat, digest)));
            return digest;
        } catch (MachineFailure e) {
            throw new BundleFailure(e.sentence(), e);
        }
    }

    @Override
    public List<Entry> list(Path archive, int strip) {
        Archive opened = Archive.open(archive);
        Layout layout = new Layout(opened.name(), strip, limits);
        long[] total = new long[1];
        opened.read(limits, Progress.NONE, (raw, content) -> {
            layout.add(raw);
            total[0] += raw.size();
            limits.check(opened.name(), total[0], opened.size());
        });
        layout.checkLinks();
        return layout.entries();
    }

    @Override
    public List<Entry> unpack(Path archive, int strip, Path into, Owner owner, Progress progress) {
        Archive opened = Archive.open(archive);
        Layout layout = new Layout(opened.name(), strip, limits);
        try {
            Unpacker unpacker =
                    new Unpacker(opened, layout, limits, files.freshTree(into), owner, files.freeSpace(into));
            try {
                opened.read(limits, progress, unpacker);
                List<Entry> entries = unpacker.finish();
                files.sync();
                return entries;
            } catch (BundleFailure | MachineFailure e) {
                remove(into, e);
                throw e;
            }
        } catch (MachineFailure e) {
            throw new BundleFailure("cannot unpack " + opened.name() + ": " + e.sentence(), e);
        }
    }

    private void remove(Path into, Exception cause) {
        try {
            files.deleteTree(into);
            files.sync();
        } catch (MachineFailure e) {
            cause.addSuppressed(e);
        }
    }

    @Override
    public void prune(Set<String> keep) {
        for (Path name : files.list(blobs)) {
            if (!keep.contains(String.valueOf(name.getFileName()))) {
                files.deleteTree(name);
            }
        }
        files.sync();
    }

    private Path blob(String sha256) {
        if (!DIGEST.matcher(sha256).matches()) {
            throw new BundleFailure("cannot use the digest " + sha256
                    + ": it is not SHA-256 as 64 lower-case hex digits; take it from sha256sum");
        }
        return blobs.resolve(sha256);
    }
}
