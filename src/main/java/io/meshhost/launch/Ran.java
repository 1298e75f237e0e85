package io.meshhost.launch;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A host that ran, as it was then: failures in a row belong to it, and to no other bytes.
 *
 * @param arrival its number then; empty: placed by hand, or nobody recorded it
 * @param bytes by what it was known then, where that was known without reading it
 */
record Ran(Host host, OptionalLong arrival, Optional<String> bytes) {
    static Ran now(Host host, Map<String, Long> arrivals) {
        return new Ran(host, arrival(host, arrivals), Optional.empty());
    }

    private static OptionalLong arrival(Host host, Map<String, Long> arrivals) {
        return host.version().map(arrivals::get).map(OptionalLong::of).orElse(OptionalLong.empty());
    }

    Ran knownBy(Optional<String> digest) {
        return new Ran(host, arrival, digest);
    }

    /**
     * Whether that host, as it stands there now, is the one that ran. The same bytes that arrived once more, under its name
     * or another, are: they would fail in the same way, and one that delivers itself at every start would never be given up.
     */
    boolean is(Host other, Scene scene) {
        if (host.version().isEmpty() || other.version().isEmpty()) {
            return host.equals(other);
        }
        String name = other.version().get();
        if (host.equals(other) && stands(scene)) {
            return true;
        }
        return digest(scene).filter(scene.digests().apply(name)::equals).isPresent();
    }

    /** Whether nothing has arrived under its name since. */
    boolean stands(Scene scene) {
        return arrival.equals(arrival(host, scene.arrivals()));
    }

    private Optional<String> digest(Scene scene) {
        return bytes.or(() -> host.version().filter(_ -> stands(scene)).map(scene.digests()));
    }

    /** For sentences, of what is not the one that runs next. */
    String words(Host next) {
        return host.equals(next) ? host.words() + " with other bytes" : host.words();
    }
}
