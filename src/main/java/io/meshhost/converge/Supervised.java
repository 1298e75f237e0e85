package io.meshhost.converge;

import io.meshhost.launch.Versions;
import io.meshhost.machine.ExpectedFailure;
import io.meshhost.machine.OwnSocket;
import io.meshhost.machine.Ticker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;

/**
 * The host's side of being supervised (SPEC 1): it says that it is well and alive, enters itself as known-good, and stands
 * aside when another version is to run.
 */
public final class Supervised implements AutoCloseable {
    /** A third of the silence after which the supervisor takes the host for hung. */
    private static final Duration ALIVE = Duration.ofSeconds(20);

    /** A version that is copied by hand gets its program some time after its directory. */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    /** The gate is still held by the reconcile that tells of its end. */
    private static final Duration AT_REST = Duration.ofMillis(50);

    private static final int LOOKS = 60;
    private static final Logger LOG = Logger.getLogger(Supervised.class);

    private final Place place;
    private final Versions versions;
    private final Ticker ticker;
    private final BooleanSupplier outdated;
    private final AtomicBoolean aside = new AtomicBoolean();
    private final AtomicBoolean well = new AtomicBoolean();
    private final AtomicBoolean told = new AtomicBoolean();
    private volatile Runnable standAside = () -> {};
    private volatile BooleanSupplier busy = () -> false;
    private volatile LongSupplier signs = () -> 0;
    private volatile boolean closed;
    private volatile OptionalLong identity = OptionalLong.empty();
    /** Only the gate's thread, which runs one reconcile after the other, asks. */
    private volatile boolean noted;

    private long lastSigns = -1;
    private Optional<SocketChannel> line = Optional.empty();
    private Optional<WatchService> watch = Optional.empty();

    /**
     * @param socket of the supervisor; empty: it has none, or there is no supervisor
     * @param running the version that this program is; empty: it was placed by hand
     * @param stateDir whose pins and rejections decide
     * @param mayStandAside whether somebody starts what runs instead
     * @param givenUp what the supervisor has rejected on a disk that did not take it, in its words; empty: nothing
     */
    public record Place(
            Optional<Path> socket, Optional<String> running, Path stateDir, boolean mayStandAside, String givenUp) {}

    /**
     * @param outdated whether what runs this program was replaced under it, so that it can start nothing any more
     */
    public Supervised(Place place, Versions versions, Ticker ticker, BooleanSupplier outdated) {
        this.place = place;
        this.outdated = outdated;
        this.versions = versions;
        this.ticker = ticker;
    }

    /**
     * @param signs grows while long work goes on: before the first reconcile is completed only that is a sign of life
     * @param busy whether a reconcile is in hand
     * @param standAside ends the host with 0, in order; called at most once
     */
    void begin(LongSupplier signs, BooleanSupplier busy, Runnable standAside) {
        this.signs = signs;
        this.busy = busy;
        this.standAside = standAside;
        this.identity = identity();
        // First of all: the supervisor keeps a HUP back until it has heard that somebody is there to hear it.
        beat();
        if (place.mayStandAside()) {
            watch();
        }
    }

    /** A reconcile has ended, whichever way. */
    void reconciled() {
        if (!noted) {
            noteWell();
        }
        if (!well.getAndSet(true)) {
            told.set(send("ready"));
        }
        if (!closed) {
            ticker.after(AT_REST, () -> look(LOOKS));
        }
    }

    /** Tried again at the next reconcile where no disk takes it now. */
    private void noteWell() {
        try {
            List<String> pruned = versions.completed(place.running());
            noted = true;
            pruned.forEach(name -> LOG.infof("removed version %s of the host: it is old and not needed", name));
        } catch (ExpectedFailure failure) {
            // The host is as well as it was; the supervisor hears so all the same.
            LOG.log(
                    well.get() ? Logger.Level.DEBUG : Logger.Level.WARN,
                    "cannot note that this version is well: " + failure.sentence());
        }
    }

    private void beat() {
        if (closed) {
            return;
        }
        long now = signs.getAsLong();
        if (well.get() || now != lastSigns) {
            lastSigns = now;
            // A word that was lost is said again: without it the supervisor waits for it for ever.
            boolean owed = well.get() && !told.get();
            if (send(owed ? "ready" : "alive") && owed) {
                told.set(true);
            }
        }
        try {
            look(0);
        } finally {
            // Whatever was met on the disk: a host that falls silent for it would be ended as one that hangs.
            ticker.after(ALIVE, this::beat);
        }
    }

    private synchronized boolean send(String word) {
        if (place.socket().isEmpty() || closed) {
            return false;
        }
        try {
            if (line.isEmpty()) {
                line = Optional.of(OwnSocket.connect(place.socket().get()));
            }
            line.get().write(ByteBuffer.wrap((word + "\n").getBytes(StandardCharsets.UTF_8)));
            return true;
        } catch (IOException e) {
            // The supervisor was killed; its successor is told at the next beat, when it listens there.
            hangUp();
            return false;
        }
    }

    private void hangUp() {
        line.ifPresent(Supervised::quietly);
        line = Optional.empty();
    }

    private static void quietly(AutoCloseable thing) {
        try {
            thing.close();
        } catch (Exception e) {
            LOG.debugf("cannot close: %s", e.getMessage());
        }
    }

    /** @param again how many times to look again for a program that is still being copied */
    private void look(int again) {
        if (!place.mayStandAside() || closed || aside.get() || busy.getAsBoolean() || !well.get()) {
            // A reconcile in hand is finished first, the first of all in any case; its end looks again. So the machine
            // is kept even where supervisor and host cannot agree, as on a disk that takes no rejection.
            return;
        }
        try {
            Optional<String> successor = successor();
            if (successor.isPresent() && !aside.getAndSet(true)) {
                LOG.infof("standing aside: %s is to run", successor.get());
                standAside.run();
            } else if (successor.isEmpty() && again > 0 && halfCopied()) {
                ticker.after(LOOK_AGAIN, () -> look(again - 1));
            }
        } catch (ExpectedFailure failure) {
            LOG.warn("cannot tell which version is to run: " + failure.sentence());
        }
    }

    private OptionalLong identity() {
        return place.running().map(versions::identity).orElse(OptionalLong.empty());
    }

    private Optional<String> successor() {
        if (outdated.getAsBoolean()) {
            return Optional.of("the same under the Java that replaced the one it runs on");
        }
        OptionalLong now = identity();
        return now.isPresent() && identity.isPresent() && !now.equals(identity)
                ? Optional.of("version " + place.running().orElse("") + " with other bytes")
                : versions.successor(place.running()).filter(host -> !host.equals(place.givenUp()));
    }

    private boolean halfCopied() {
        Path directory = versions.directory();
        try (var names = Files.list(directory)) {
            return names.anyMatch(path -> versions.isVersion(path)
                    && Files.isDirectory(path)
                    && !Files.exists(path.resolve("nox-mesh-host")));
        } catch (IOException e) {
            return false;
        }
    }

    private void watch() {
        try {
            WatchService service = FileSystems.getDefault().newWatchService();
            watch = Optional.of(service);
            register(service);
            Thread.ofPlatform().daemon().name("versions-watch").start(() -> listen(service));
        } catch (IOException e) {
            LOG.debugf(
                    "cannot watch the versions; they are looked at every %d s: %s", ALIVE.toSeconds(), e.getMessage());
        }
    }

    /**
     * Again and again, which costs nothing where it is registered: the first version that arrives makes the directory, and
     * one that was replaced needs a new watch. What is above it tells of both.
     */
    private void register(WatchService service) throws IOException {
        Path directory = versions.directory();
        for (Path each : List.of(place.stateDir(), directory, directory.resolveSibling("."))) {
            if (Files.isDirectory(each)) {
                each.normalize()
                        .register(
                                service,
                                StandardWatchEventKinds.ENTRY_CREATE,
                                StandardWatchEventKinds.ENTRY_MODIFY,
                                StandardWatchEventKinds.ENTRY_DELETE);
            }
        }
    }

    private void listen(WatchService service) {
        try {
            while (true) {
                WatchKey key = service.take();
                boolean pinned = key.pollEvents().stream()
                        .anyMatch(event -> versions.deciding().contains(String.valueOf(event.context())));
                boolean decides = pinned || !key.watchable().equals(place.stateDir());
                key.reset();
                register(service);
                if (decides) {
                    look(LOOKS);
                }
            }
        } catch (ClosedWatchServiceException | InterruptedException over) {
            LOG.debug("the watch of the versions has ended");
        } catch (IOException e) {
            LOG.debugf("cannot watch the versions any more; they are looked at every %d s", ALIVE.toSeconds());
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        watch.ifPresent(Supervised::quietly);
        hangUp();
    }
}
