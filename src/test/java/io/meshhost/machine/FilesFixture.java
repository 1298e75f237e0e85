package io.meshhost.machine;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The files under a folder of its own. */
abstract class FilesFixture {
    @TempDir
    Path dir;

    Files files;

    @BeforeEach
    void open() throws IOException {
        dir = dir.toRealPath();
        files = new Files(dir, Probe.NONE);
    }

    static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    String text(Path path) {
        return new String(files.read(path, 1 << 20), UTF_8);
    }

    int mode(Path path) {
        return files.stat(path).orElseThrow().mode();
    }
}
