package io.meshhost.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.apply.testing.ProcessBox;
import io.meshhost.apply.testing.ProcessDraft;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A supervisor that looks at any moment finds each unit as it was or as it becomes, and no other file it would take for one. */
class UnitsAreWholeTest { // UE-13
    @TempDir
    Path root;

    @Test
    void atEveryWriteEachUnitIsOldOrNew() {
        ProcessBox box = new ProcessBox(root);
        String bundle = box.bundles.publish("1", Map.of("bin/", "", "bin/app*", "x", "version", "1"));
        Set<String> whole = new HashSet<>();
        Set<String> seen = new TreeSet<>();
        box.probe((number, operation, path) -> seen.addAll(units(root)));
        for (ProcessDraft draft : Stream.of(
                        ProcessDraft.of(bundle).env("A", "x".repeat(100_000)),
                        ProcessDraft.of(bundle).env("A", "2").at("0 3 * * *"),
                        ProcessDraft.of(bundle).env("A", "3").at("0 4 * * *"))
                .toList()) {
            box.apply(draft.build());
            whole.addAll(units(root));
        }
        box.undeclare("demo/web");
        assertThat(seen).isNotEmpty();
        assertThat(whole).containsAll(seen);
        assertThat(units(root)).isEmpty();
    }

    /** What a supervisor takes for units, by name, and what they say. */
    private static Set<String> units(Path root) {
        Set<String> units = new TreeSet<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.toList()) {
                String name = String.valueOf(file.getFileName());
                if (name.endsWith(".service") || name.endsWith(".timer")) {
                    units.add(name + "\n" + Files.readString(file));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return units;
    }
}
