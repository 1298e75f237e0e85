package io.meshhost.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whatever an archive asks for, what is let through is a tree that keeps to itself. */
class UnpackTreesTest {
    @Provide
    Arbitrary<List<Raw>> archives() {
        Arbitrary<String> names = Arbitraries.of("a", "b", "c", "..", ".", "", "d")
                .list()
                .ofMinSize(1)
                .ofMaxSize(4)
                .map(parts -> String.join("/", parts));
        Arbitrary<Raw.Kind> kinds = Arbitraries.frequency(
                net.jqwik.api.Tuple.of(4, Raw.Kind.FILE),
                net.jqwik.api.Tuple.of(4, Raw.Kind.DIRECTORY),
                net.jqwik.api.Tuple.of(4, Raw.Kind.SYMLINK),
                net.jqwik.api.Tuple.of(2, Raw.Kind.HARDLINK),
                net.jqwik.api.Tuple.of(1, Raw.Kind.FIFO));
        return Combinators.combine(names, kinds, Arbitraries.integers().between(0, 01777), names)
                .as((name, kind, mode, link) -> new Raw(name, kind, mode, 0, link, false))
                .list()
                .ofMaxSize(8);
    }

    @Property(tries = 3_000)
    void noEntryPassesThroughALinkAndNoLinkLeadsOut(@ForAll("archives") List<Raw> archive) {
        Layout layout = new Layout("a", 0, Limits.USUAL);
        for (Raw raw : archive) {
            try {
                layout.add(raw);
            } catch (BundleFailure refused) {
                return;
            }
        }
        try {
            layout.checkLinks();
        } catch (BundleFailure refused) {
            return;
        }
        Map<String, Entry> byName = new TreeMap<>();
        layout.entries().forEach(e -> byName.put(e.path().toString(), e));
        for (Entry entry : layout.entries()) {
            assertThat(entry.path().isAbsolute()).isFalse();
            assertThat(entry.path().normalize()).isEqualTo(entry.path());
            assertThat(entry.mode() & ~0777).isZero();
            for (var up = entry.path().getParent(); up != null; up = up.getParent()) {
                assertThat(byName.get(up.toString()))
                        .isNotNull()
                        .extracting(Entry::type)
                        .isEqualTo(Entry.Type.DIRECTORY);
            }
            if (entry.type() == Entry.Type.LINK) {
                assertThat(leadsOut(entry, byName)).isFalse();
            }
        }
    }

    /** The kernel gives up after 40 links (path_resolution(7)): what leads nowhere leads not outside. */
    private static final class TooManyLinks extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** An own way to follow a link: recursive, by strings. */
    private static boolean leadsOut(Entry link, Map<String, Entry> byName) {
        Path parent = link.path().getParent();
        try {
            return walk(parent == null ? "" : parent.toString(), link.link().orElseThrow(), byName, new AtomicInteger())
                    .isEmpty();
        } catch (TooManyLinks e) {
            return false;
        }
    }

    private static Optional<String> walk(String from, String target, Map<String, Entry> byName, AtomicInteger links) {
        String at = from;
        for (String part : target.split("/", -1)) {
            if (part.equals("..")) {
                if (at.isEmpty()) {
                    return Optional.empty();
                }
                at = at.contains("/") ? at.substring(0, at.lastIndexOf('/')) : "";
            } else if (!part.isEmpty() && !part.equals(".")) {
                String next = at.isEmpty() ? part : at + "/" + part;
                Entry there = byName.get(next);
                if (there != null && there.type() == Entry.Type.LINK) {
                    if (links.incrementAndGet() > 40) {
                        throw new TooManyLinks();
                    }
                    Optional<String> led = walk(at, there.link().orElseThrow(), byName, links);
                    if (led.isEmpty()) {
                        return led;
                    }
                    at = led.get();
                } else {
                    at = next;
                }
            }
        }
        return Optional.of(at);
    }
}
