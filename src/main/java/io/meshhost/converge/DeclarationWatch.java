package io.meshhost.converge;

import io.meshhost.machine.Ticker;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jboss.logging.Logger;

/**
 * Tells when the declaration has become another and has come to rest (SPEC 5): never in the middle of a write.
 *
 * <p>inotify (7) tells at once; a look every two seconds is kept beside it, since it says nothing of network
 * file systems, of a directory that appears later, or after an overflow of its queue.
 */
public final class DeclarationWatch implements AutoCloseable {
    static final Duration QUIET = Duration.ofMillis(300);
    private static final Duration LOOK = Duration.ofSeconds(2);
    private static final Duration LOOK_WHILE_MOVING = Duration.ofMillis(50);
    private static final Logger LOG = Logger.getLogger(DeclarationWatch.class);

    private final DeclarationPlace place;
    private final Predicate<Path> writers;
    private final Ticker ticker;
    private final Runnable changed;
    private final WatchService service;
    private final Settle settle = new Settle(QUIET);
    private final Map<Path, WatchKey> keys = new HashMap<>();
    private final Thread thread;
    private volatile String settled = "";
    private volatile boolean beingWritten;

    /**
     * @param writers whether somebody has the file open for writing
     * @param changed called on the watch's thread when the declaration came to rest, the first time included
     */
    public DeclarationWatch(DeclarationPlace place, Predicate<Path> writers, Ticker ticker, Runnable changed)
            throws IOException {
        this.place = place;
        this.writers = writers;
        this.ticker = ticker;
        this.changed = changed;
        this.service = FileSystems.getDefault().newWatchService();
        this.thread = Thread.ofPlatform().daemon().name("declaration-watch").unstarted(this::loop);
    }

    public void start() {
        thread.start();
    }

    /** The signature at which the declaration last came to rest; "" before the first time. */
    public String settled() {
        return settled;
    }

    /** Whether a writer keeps the declaration from coming to rest. */
    public boolean beingWritten() {
        return beingWritten;
    }

    private void loop() {
        try {
            while (true) {
                register();
                look();
                Duration wait = settle.moving() ? LOOK_WHILE_MOVING : LOOK;
                WatchKey key = service.poll(wait.toMillis(), TimeUnit.MILLISECONDS);
                if (key != null) {
                    key.pollEvents();
                    key.reset();
                }
            }
        } catch (ClosedWatchServiceException | InterruptedException closed) {
            LOG.debug("the watch of the declaration has ended");
        }
    }

    private void look() {
        boolean rested = settle.step(place.signature(), ticker.nanos(), this::hasWriter);
        beingWritten = settle.beingWritten();
        if (rested) {
            settled = settle.settled().orElse("");
            changed.run();
        }
    }

    private boolean hasWriter() {
        return place.find() instanceof DeclarationPlace.Found.File(Path path) && writers.test(path);
    }

    /** Registering again what is registered costs nothing; a directory that was replaced gets a new key. */
    private void register() {
        Set<Path> directories = place.directories();
        keys.entrySet().removeIf(entry -> {
            boolean gone = !directories.contains(entry.getKey());
            if (gone) {
                entry.getValue().cancel();
            }
            return gone;
        });
        for (Path directory : directories) {
            try {
                keys.put(
                        directory,
                        directory.register(
                                service,
                                StandardWatchEventKinds.ENTRY_CREATE,
                                StandardWatchEventKinds.ENTRY_MODIFY,
                                StandardWatchEventKinds.ENTRY_DELETE));
            } catch (IOException e) {
                // Gone again, or no watch left (max_user_watches): the look every two seconds still sees it.
                LOG.debugf("cannot watch %s: %s", directory, e.getMessage());
            }
        }
    }

    @Override
    public void close() {
        try {
            service.close();
            if (thread.getState() != Thread.State.NEW) {
                thread.interrupt();
                thread.join(Duration.ofSeconds(2));
            }
        } catch (IOException e) {
            LOG.debugf("cannot end the watch of the declaration: %s", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
