package io.meshhost.apply;

import io.meshhost.apply.testing.ProcessBox;
import io.meshhost.apply.testing.ProcessDraft;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A machine of paper on which a daemon of two versions is published. */
abstract class ProcessFixture {
    @TempDir
    Path root;

    ProcessBox box;
    String v1;
    String v2;

    @BeforeEach
    void bundles() {
        box = new ProcessBox(root);
        v1 = box.bundles.publish("1", Map.of("bin/", "", "bin/app*", "one", "version", "v1", "old.txt", "x"));
        v2 = box.bundles.publish("2", Map.of("bin/", "", "bin/app*", "two!", "version", "v2", "new.txt", "y"));
    }

    ProcessDraft web(String sha256) {
        return ProcessDraft.of(sha256);
    }

    String text(String unit) {
        try {
            return Files.readString(box.unit(unit));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    List<String> names() {
        try (var all = Files.list(root.resolve("daemons"))) {
            return all.map(path -> String.valueOf(path.getFileName())).sorted().toList();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
