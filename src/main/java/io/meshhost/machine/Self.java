package io.meshhost.machine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Who runs this program, as the kernel counts it: the effective ids of /proc/self/status (proc(5)).
 *
 * <p>The owner of /proc/self would do on most days, but it is root for a process that may not be dumped.
 */
record Self(int uid, int gid) {
    static Self read() {
        try {
            List<String> lines = Files.readAllLines(Path.of("/proc/self/status"));
            return new Self(effective(lines, "Uid:"), effective(lines, "Gid:"));
        } catch (IOException e) {
            throw new UncheckedIOException("/proc is not mounted", e);
        }
    }

    boolean root() {
        return uid == 0;
    }

    private static int effective(List<String> lines, String key) {
        return lines.stream()
                .filter(line -> line.startsWith(key))
                .map(line -> line.split("\\s+", -1)[2])
                .map(Integer::parseUnsignedInt)
                .findFirst()
                .orElseThrow();
    }
}
