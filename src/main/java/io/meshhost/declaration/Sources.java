package io.meshhost.declaration;

import io.meshhost.declaration.Resource.Bytes;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Where bytes come from: {@code source} with {@code digest}, or an {@code artifact}. */
final class Sources {
    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:");
    private static final Pattern OCI = Pattern.compile("oci:(//)?[A-Za-z0-9][^\\s?#]*/[^\\s?#]+");

    private Sources() {}

    /** Stands in where a fault was said: the declaration is refused then, and this never leaves the room. */
    static final Bytes NONE = new Bytes.Unpublished("");

    static Bytes of(Fields fields, Scope scope) {
        Optional<Node.Scalar> artifact = fields.scalar("artifact");
        return artifact.isPresent() ? artifact(artifact.get(), scope) : published(fields, scope);
    }

    static Bytes published(Fields fields, Scope scope) {
        Optional<URI> source = fields.scalar("source").flatMap(scalar -> source(scalar, scope));
        Optional<String> digest = fields.text("digest").map(Values::digest);
        return source.isEmpty() || digest.isEmpty() ? NONE : new Bytes.Published(source.get(), digest.get());
    }

    private static Bytes unknown(String name, Node.Scalar scalar, Scope scope) {
        String hint = scope.nearest()
                .to(name, scope.artifacts().keySet())
                .map(meant -> "did you mean " + meant + "?")
                .orElse("add it there");
        scope.faults().add(scalar.place(), "build.artifacts has no " + Words.quoted(name) + "; " + hint);
        return NONE;
    }

    private static Bytes artifact(Node.Scalar scalar, Scope scope) {
        Optional<String> replaced = scope.replaced(scalar);
        if (replaced.isEmpty()) {
            return NONE;
        }
        String name = replaced.get();
        Scope.Artifact entry = scope.artifacts().get(name);
        if (entry == null) {
            return unknown(name, scalar, scope);
        }
        String system = entry.system().orElse(scope.facts().system());
        if (!system.equals(scope.facts().system())) {
            return new Bytes.OtherSystem(name, system);
        }
        Path given = scope.facts().artifacts().get(name);
        if (given != null) {
            return new Bytes.Given(name, given);
        }
        if (entry.published().isPresent()) {
            return entry.published().get();
        }
        scope.faults()
                .warn(
                        scalar.place(),
                        "artifact " + Words.quoted(name)
                                + " is not published, so the resource will fail; publish the module, or give the file with --artifact "
                                + name + "=PATH");
        return new Bytes.Unpublished(name);
    }

    static Optional<URI> source(Node.Scalar scalar, Scope scope) {
        Optional<String> replaced = scope.replaced(scalar);
        if (replaced.isEmpty()) {
            return Optional.empty();
        }
        String text = replaced.get();
        if (!SCHEME.matcher(text).lookingAt()) {
            if (text.indexOf('\0') >= 0) {
                scope.faults().add(scalar.place(), "source holds a NUL byte; remove it");
                return Optional.empty();
            }
            return Optional.of(
                    fileUri(scope.base().resolve(text).toAbsolutePath().normalize()));
        }
        String wrong = "is not an address";
        try {
            URI uri = new URI(text);
            wrong = wrongIn(uri, text);
        } catch (URISyntaxException e) {
            wrong = "is not an address: " + e.getReason().toLowerCase(Locale.ROOT)
                    + "; write it in URI form, a blank as %20";
        }
        if (wrong.isEmpty()) {
            return Optional.of(URI.create(text));
        }
        scope.faults().add(scalar.place(), "source " + Words.quoted(text) + " " + wrong);
        return Optional.empty();
    }

    private static String wrongIn(URI uri, String text) {
        return switch (uri.getScheme().toLowerCase(Locale.ROOT)) {
            case "http", "https" -> uri.getHost() == null ? "has no host; write it as \"https://host/path\"" : "";
            case "oci" ->
                OCI.matcher(text).matches()
                        ? ""
                        : "names no blob; write it as \"oci://host/name\", the digest beside it";
            case "file" ->
                uri.getPath() == null || !uri.getPath().startsWith("/") || uri.getAuthority() != null
                        ? "is not an absolute path; write it as \"file:///path\""
                        : "";
            default -> "has a scheme that is not known; write a path, or file:, http:, https: or oci:";
        };
    }

    /**
     * By hand: {@code Path.toUri} asks the disk whether it is a directory, and {@code URI}'s own constructors leave
     * non-ASCII characters that {@code Path.of(URI)} then refuses.
     */
    static URI fileUri(Path path) {
        StringBuilder uri = new StringBuilder("file://");
        for (byte b : path.toString().getBytes(StandardCharsets.UTF_8)) {
            int c = b & 0xFF;
            boolean plain = c < 0x80 && (Character.isLetterOrDigit(c) || "/-._~".indexOf(c) >= 0);
            uri.append(plain ? String.valueOf((char) c) : String.format("%%%02X", c));
        }
        return URI.create(uri.toString());
    }
}
