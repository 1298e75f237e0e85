package io.meshhost.launch;

import io.meshhost.machine.MachineFailure;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** How the supervisor hears of its host: the socket, and for older hosts the files that they change. Neither polls. */
record Ears(Optional<Wire> wire, Optional<WatchService> watch, Optional<String> socket) implements AutoCloseable {

    /** What cannot be opened is said and done without: the host is started all the same. */
    static Ears open(Means means, Supplier<Wire.Listener> listener, Runnable changed, Consumer<String> trouble) {
        Optional<Wire> wire = Optional.empty();
        try {
            wire = Optional.of(Wire.open(means.socket(), means.files(), means.own(), listener));
        } catch (MachineFailure failure) {
            trouble.accept("the host cannot tell that it is well: " + failure.sentence());
        }
        return new Ears(
                wire,
                watch(means.places().stateDir(), changed, trouble),
                wire.map(_ -> means.socket().toString()));
    }

    private static Optional<WatchService> watch(Path directory, Runnable changed, Consumer<String> trouble) {
        try {
            WatchService service = FileSystems.getDefault().newWatchService();
            directory.register(
                    service,
                    StandardWatchEventKinds.ENTRY_CREATE,
                    StandardWatchEventKinds.ENTRY_MODIFY,
                    StandardWatchEventKinds.ENTRY_DELETE);
            Thread.ofPlatform().daemon().name("watch").start(() -> listen(service, changed));
            return Optional.of(service);
        } catch (IOException e) {
            trouble.accept("cannot watch " + directory + ": " + e.getMessage());
            return Optional.empty();
        }
    }

    private static void listen(WatchService service, Runnable changed) {
        try {
            while (true) {
                WatchKey key = service.take();
                boolean ours = key.pollEvents().stream().anyMatch(Ears::matters);
                key.reset();
                if (ours) {
                    changed.run();
                }
            }
        } catch (ClosedWatchServiceException | InterruptedException closed) {
            return;
        }
    }

    /** An overflow names nothing, so it may be anything. */
    private static boolean matters(WatchEvent<?> event) {
        String name = String.valueOf(event.context());
        return event.kind().equals(StandardWatchEventKinds.OVERFLOW)
                || name.equals(StateDir.ATTEMPTS)
                || name.equals(StateDir.KNOWN_GOOD);
    }

    @Override
    public void close() throws IOException {
        wire.ifPresent(Wire::close);
        if (watch.isPresent()) {
            watch.get().close();
        }
    }
}
