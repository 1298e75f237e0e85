package io.meshhost.apply;

import io.meshhost.bundle.Bundles;
import io.meshhost.declaration.Resource.Bytes;
import io.meshhost.machine.Progress;
import java.nio.file.Path;

/** What is known of declared bytes before they are fetched, and where they are afterwards. */
sealed interface Supply {
    /**
     * @param sha256 64 lower-case hex digits
     */
    record Known(String sha256) implements Supply {}

    /** They cannot be had: the resource fails. */
    record Missing(String sentence) implements Supply {}

    /** They are for other machines: the resource is skipped. */
    record Elsewhere(String sentence) implements Supply {}

    static Supply of(Bytes bytes, Bundles bundles) {
        return switch (bytes) {
            case Bytes.Published published -> new Known(published.sha256());
            case Bytes.Given given -> new Known(bundles.digest(given.file()));
            case Bytes.Unpublished unpublished ->
                new Missing("artifact " + unpublished.artifact()
                        + " is not published: add source and digest to it, or give --artifact "
                        + unpublished.artifact() + "=PATH");
            case Bytes.OtherSystem other ->
                new Elsewhere("artifact " + other.artifact() + " is built for " + other.system());
        };
    }

    /** For plans: where they come from. */
    static String from(Bytes bytes) {
        return switch (bytes) {
            case Bytes.Published published -> Bundles.shown(published.source());
            case Bytes.Given given -> given.file().toString();
            case Bytes.Unpublished unpublished -> "artifact " + unpublished.artifact();
            case Bytes.OtherSystem other -> "artifact " + other.artifact();
        };
    }

    /** A file on this machine that holds them. */
    static Path file(Bytes bytes, Bundles bundles, Progress progress) {
        return switch (bytes) {
            case Bytes.Published published -> bundles.fetch(published.source(), published.sha256(), progress);
            case Bytes.Given given -> given.file();
            case Bytes.Unpublished unpublished -> throw nothing(unpublished.artifact());
            case Bytes.OtherSystem other -> throw nothing(other.artifact());
        };
    }

    private static IllegalStateException nothing(String artifact) {
        return new IllegalStateException("planned to write artifact " + artifact + ", of which nothing is known");
    }
}
