package io.meshhost.bundle;

import io.meshhost.machine.Ticker;
import java.io.IOException;
import java.net.ProxySelector;
import java.net.URI;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;

/** Where bytes come from: {@code file:}, {@code http:}, {@code https:} and {@code oci:}. */
final class Sources {
    private final Ticker ticker;
    private final HttpSource http;
    private final OciSource oci;
    private final Patience patience;

    /**
     * @param connect until a connection stands
     * @param stall without one byte
     * @param attempts in all, for failures that may pass
     * @param backoff before the second attempt, doubled before each further one
     */
    record Patience(Duration connect, Duration stall, int attempts, Duration backoff) {
        static final Patience USUAL =
                new Patience(Duration.ofSeconds(20), Duration.ofSeconds(60), 4, Duration.ofSeconds(1));

        /**
         * @param attempt that failed, from 1
         * @param jitter 0 to 1: machines that failed together do not come back together
         */
        Duration delay(int attempt, double jitter) {
            long full = backoff.toNanos() << Math.min(attempt - 1, 20);
            return Duration.ofNanos((long) (full * (0.5 + jitter / 2)));
        }
    }

    /** What is done with the bytes while the source is open. */
    interface Use {
        Path with(Opened opened) throws IOException;
    }

    /** A failure that may pass by itself: no connection, a body cut short, a server that is busy. */
    static final class Transient extends IOException {
        private static final long serialVersionUID = 1L;

        Transient(String reason) {
            super(reason);
        }
    }

    Sources(Ticker ticker, Optional<ProxySelector> proxy, Patience patience) {
        this.ticker = ticker;
        this.patience = patience;
        this.http = new HttpSource(ticker, proxy, patience);
        this.oci = new OciSource(http);
    }

    Path fetch(URI source, String sha256, Use use) {
        String scheme = String.valueOf(source.getScheme()).toLowerCase(Locale.ROOT);
        return switch (scheme) {
            case "file" -> once(source, use);
            case "http", "https" -> retried(source, use, () -> http.open(source, Optional.empty()));
            case "oci" -> retried(source, use, () -> oci.open(source, sha256));
            default ->
                throw new BundleFailure("cannot fetch " + shown(source) + ": " + scheme
                        + " is no kind of source; use a path, file:, http:, https: or oci:");
        };
    }

    private static Path once(URI source, Use use) {
        if (source.getPath() == null) {
            throw failed(source, "it names no path", null);
        }
        try {
            FileChannel channel = FileChannel.open(Path.of(source.getPath()), StandardOpenOption.READ);
            long size = channel.size();
            return use.with(new Opened(Channels.newInputStream(channel), OptionalLong.of(size)));
        } catch (WrongBytes.WhileReading e) {
            throw e.wrong();
        } catch (java.nio.file.NoSuchFileException e) {
            throw failed(source, "it does not exist", e);
        } catch (java.nio.file.AccessDeniedException e) {
            throw failed(source, "permission denied", e);
        } catch (IOException e) {
            throw failed(source, String.valueOf(e.getMessage()), e);
        }
    }

    private interface Opening {
        Opened open() throws IOException;
    }

    private Path retried(URI source, Use use, Opening opening) {
        for (int attempt = 1; ; attempt++) {
            try {
                return use.with(opening.open());
            } catch (WrongBytes.WhileReading e) {
                throw e.wrong();
            } catch (IOException e) {
                if (attempt >= patience.attempts()) {
                    throw failed(source, HttpSource.reason(e) + " (" + attempt + " attempts)", e);
                }
                await(
                        source,
                        patience.delay(attempt, ThreadLocalRandom.current().nextDouble()));
            }
        }
    }

    private void await(URI source, Duration delay) {
        CountDownLatch due = new CountDownLatch(1);
        Ticker.Cancellable timer = ticker.after(delay, due::countDown);
        try {
            due.await();
        } catch (InterruptedException e) {
            timer.cancel();
            Thread.currentThread().interrupt();
            throw failed(source, "it was interrupted", e);
        }
    }

    static BundleFailure failed(URI source, String reason, @org.jspecify.annotations.Nullable Throwable cause) {
        return new BundleFailure(
                "cannot fetch " + shown(source) + ": " + reason + "; check the source, then apply again", cause);
    }

    /** Without a password, which must not reach a terminal or a log, and without a query, which may hold a token. */
    static String shown(URI source) {
        String host = source.getHost() == null
                ? ""
                : "//" + source.getHost() + (source.getPort() < 0 ? "" : ":" + source.getPort());
        String path = source.getPath() == null ? "" : source.getPath();
        return (host.isEmpty() && "file".equals(source.getScheme()) ? "" : source.getScheme() + ":") + host + path;
    }

    static String lastName(URI source) {
        String path = source.getPath() == null ? "" : source.getPath();
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
