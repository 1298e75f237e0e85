package io.meshhost.machine;

import java.nio.file.Path;

/** Watched by strace: writes the same file twice, then syncs. */
public final class WriteOnce {
    private WriteOnce() {}

    public static void main(String... args) {
        Files files = new Files(Path.of("/"), Probe.NONE);
        files.write(Path.of(args[0]), new byte[] {'1'}, Files.Attributes.mode(0640));
        files.write(Path.of(args[0]), new byte[] {'2'}, Files.Attributes.mode(0600));
        files.sync();
    }
}
