package io.meshhost.bundle;

import io.meshhost.machine.Ticker;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;

/**
 * HTTP and HTTPS (RFC 9110). Redirects are followed by hand: never from https to http, never to
 * anything else, and without credentials once the host changes.
 */
final class HttpSource {
    private static final int MOST_REDIRECTS = 5;

    private final HttpClient client;
    private final Ticker ticker;
    private final Duration stall;

    HttpSource(Ticker ticker, Optional<ProxySelector> proxy, Sources.Patience patience) {
        this.ticker = ticker;
        this.stall = patience.stall();
        this.client = HttpClient.newBuilder()
                .connectTimeout(patience.connect())
                .followRedirects(HttpClient.Redirect.NEVER)
                .proxy(proxy.orElse(HttpClient.Builder.NO_PROXY))
                .build();
    }

    /** @throws BundleFailure when asking again would not help */
    Opened open(URI source, Optional<String> authorization) throws IOException {
        return opened(source, get(source, authorization));
    }

    /** The body of an answer that is one. */
    Opened opened(URI source, HttpResponse<InputStream> response) throws IOException {
        if (response.statusCode() != 200) {
            throw refused(source, response);
        }
        return new Opened(guarded(response.body()), response.headers().firstValueAsLong("Content-Length"));
    }

    /** The answer after redirects, whatever its status. */
    HttpResponse<InputStream> get(URI source, Optional<String> authorization) throws IOException {
        URI at = source;
        Optional<String> credentials = authorization.or(() -> basic(source));
        for (int hop = 0; hop <= MOST_REDIRECTS; hop++) {
            HttpResponse<InputStream> response = send(at, credentials);
            Optional<String> location = response.headers().firstValue("Location");
            if (!isRedirect(response.statusCode()) || location.isEmpty()) {
                return response;
            }
            response.body().close();
            URI next = next(source, at, location.get());
            if (!sameHost(at, next)) {
                credentials = Optional.empty();
            }
            at = next;
        }
        throw Sources.failed(source, "it redirects more than " + MOST_REDIRECTS + " times", null);
    }

    private static boolean isRedirect(int status) {
        return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
    }

    private static URI next(URI source, URI at, String location) {
        URI next;
        try {
            next = at.resolve(location);
        } catch (IllegalArgumentException e) {
            throw Sources.failed(source, "it redirects to what is no address", e);
        }
        String scheme = String.valueOf(next.getScheme()).toLowerCase(Locale.ROOT);
        boolean web = scheme.equals("http") || scheme.equals("https");
        if (!web || next.getHost() == null) {
            throw Sources.failed(source, "it redirects away from http, to " + Sources.shown(next), null);
        }
        if (scheme.equals("http") && "https".equalsIgnoreCase(at.getScheme())) {
            throw Sources.failed(source, "it redirects from https to plain http, to " + Sources.shown(next), null);
        }
        return next;
    }

    private static boolean sameHost(URI one, URI other) {
        return one.getHost().equalsIgnoreCase(other.getHost())
                && one.getPort() == other.getPort()
                && one.getScheme().equalsIgnoreCase(other.getScheme());
    }

    private HttpResponse<InputStream> send(URI at, Optional<String> credentials) throws IOException {
        try {
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(withoutUser(at)).timeout(stall).GET();
            credentials.ifPresent(value -> request.header("Authorization", value));
            return client.send(request.build(), BodyHandlers.ofInputStream());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Sources.failed(at, "it was interrupted", e);
        } catch (IllegalArgumentException e) {
            throw Sources.failed(at, "it is no address of a server", e);
        }
    }

    private static Optional<String> basic(URI source) {
        return Optional.ofNullable(source.getUserInfo())
                .map(user -> "Basic " + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8)));
    }

    private static URI withoutUser(URI at) {
        if (at.getRawUserInfo() == null) {
            return at;
        }
        return URI.create(at.toString().replace(at.getRawUserInfo() + "@", ""));
    }

    static BundleFailure refusedFor(URI source, int status) {
        return Sources.failed(source, "the server answers " + status + meaning(status), null);
    }

    private static BundleFailure refused(URI source, HttpResponse<InputStream> response) throws IOException {
        int status = response.statusCode();
        response.body().close();
        if (status == 408 || status == 429 || status >= 500) {
            throw new Sources.Transient("the server answers " + status + meaning(status));
        }
        return refusedFor(source, status);
    }

    private static String meaning(int status) {
        return switch (status) {
            case 401, 403 -> " (not allowed)";
            case 404, 410 -> " (not found)";
            case 429 -> " (too many requests)";
            case 502, 503, 504 -> " (not available)";
            default -> "";
        };
    }

    static String reason(IOException e) {
        return switch (e) {
            case HttpConnectTimeoutException late -> "no connection within its time";
            case java.net.http.HttpTimeoutException late -> "no answer within its time";
            case java.net.ConnectException none ->
                "no connection"
                        + (none.getCause() instanceof java.nio.channels.UnresolvedAddressException
                                ? ": the name of the host is not known"
                                : none.getMessage() == null ? "" : ": " + none.getMessage());
            case javax.net.ssl.SSLException tls ->
                "the server's certificate or TLS is refused (" + tls.getMessage() + "; is this machine's clock right?)";
            default -> String.valueOf(e.getMessage());
        };
    }

    InputStream guarded(InputStream body) {
        return new Guarded(body);
    }

    /** A body that sends nothing for a while is given up: the JDK's own time-out ends with the headers. */
    private final class Guarded extends Passing {
        private volatile boolean stalled;

        Guarded(InputStream in) {
            super(in);
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            Ticker.Cancellable timer = ticker.after(stall, this::giveUp);
            try {
                int read = in.read(into, offset, length);
                if (stalled) {
                    throw new InterruptedIOException("no byte came for " + stall.toSeconds() + " s");
                }
                return read;
            } catch (IOException e) {
                if (stalled) {
                    throw new Sources.Transient("no byte came for " + stall.toSeconds() + " s");
                }
                throw e;
            } finally {
                timer.cancel();
            }
        }

        private void giveUp() {
            stalled = true;
            try {
                in.close();
            } catch (IOException e) {
                // The reader is woken either way, and says why.
                stalled = true;
            }
        }
    }
}
