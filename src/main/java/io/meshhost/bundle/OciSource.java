package io.meshhost.bundle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A blob of a registry: {@code oci://HOST[:PORT]/NAME} and the digest (OCI distribution spec, "Pulling blobs"; its
 * token flow for those who have no account). Plain http is spoken to this machine only.
 */
final class OciSource {
    private static final Pattern PARAMETER = Pattern.compile("(\\w+)=\"([^\"]*)\"");
    private static final Pattern NAME = Pattern.compile("[a-z0-9]+([._-]+[a-z0-9]+)*(/[a-z0-9]+([._-]+[a-z0-9]+)*)*");
    private static final int MOST_TOKEN_BYTES = 1 << 20;

    private final HttpSource http;
    private final ObjectMapper json = new ObjectMapper();

    OciSource(HttpSource http) {
        this.http = http;
    }

    Opened open(URI source, String sha256) throws IOException {
        URI blob = blob(source, sha256);
        HttpResponse<InputStream> first = http.get(blob, Optional.empty());
        if (first.statusCode() != 401) {
            return http.opened(blob, first);
        }
        first.body().close();
        String challenge = first.headers().firstValue("WWW-Authenticate").orElse("");
        if (!challenge.toLowerCase(Locale.ROOT).startsWith("bearer ")) {
            throw HttpSource.refusedFor(source, 401);
        }
        return http.open(blob, Optional.of("Bearer " + token(source, challenge)));
    }

    private static URI blob(URI source, String sha256) {
        String name = String.valueOf(source.getPath()).replaceFirst("^/", "");
        if (source.getHost() == null || !NAME.matcher(name).matches()) {
            throw Sources.failed(source, "it is not oci://HOST/NAME with a name in lower case", null);
        }
        String port = source.getPort() < 0 ? "" : ":" + source.getPort();
        return URI.create(
                scheme(source.getHost()) + "://" + source.getHost() + port + "/v2/" + name + "/blobs/sha256:" + sha256);
    }

    private static String scheme(String host) {
        return isLoopback(host) ? "http" : "https";
    }

    private static boolean isLoopback(String host) {
        return host.equals("localhost") || host.equals("[::1]") || host.matches("127(\\.\\d{1,3}){3}");
    }

    private String token(URI source, String challenge) throws IOException {
        Map<String, String> parameters = new HashMap<>();
        Matcher matcher = PARAMETER.matcher(challenge);
        while (matcher.find()) {
            parameters.put(matcher.group(1).toLowerCase(Locale.ROOT), matcher.group(2));
        }
        URI realm = realm(source, parameters);
        Opened answer = http.open(realm, Optional.empty());
        try (InputStream body = answer.bytes()) {
            JsonNode tree = json.readTree(body.readNBytes(MOST_TOKEN_BYTES));
            JsonNode token = tree.path("token").isTextual() ? tree.path("token") : tree.path("access_token");
            if (!token.isTextual()) {
                throw Sources.failed(source, "its registry's token service gives no token", null);
            }
            return token.asText();
        }
    }

    private static URI realm(URI source, Map<String, String> parameters) {
        StringBuilder address = new StringBuilder(parameters.getOrDefault("realm", ""));
        char mark = address.indexOf("?") < 0 ? '?' : '&';
        for (String name : new String[] {"service", "scope"}) {
            String value = parameters.get(name);
            if (value != null) {
                address.append(mark).append(name).append('=').append(URLEncoder.encode(value, StandardCharsets.UTF_8));
                mark = '&';
            }
        }
        try {
            URI realm = URI.create(address.toString());
            boolean plain = "http".equals(realm.getScheme()) && realm.getHost() != null && isLoopback(realm.getHost());
            if (realm.getHost() != null && (plain || "https".equals(realm.getScheme()))) {
                return realm;
            }
        } catch (IllegalArgumentException e) {
            throw Sources.failed(source, "its registry names no address for tokens", e);
        }
        throw Sources.failed(source, "its registry would have a token asked for over plain http", null);
    }
}
