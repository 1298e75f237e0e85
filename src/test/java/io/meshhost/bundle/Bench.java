package io.meshhost.bundle;

import io.meshhost.machine.Files;
import io.meshhost.machine.Probe;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A content store in a directory, and system programs to compare it with. */
final class Bench implements AutoCloseable {
    final TestTicker ticker = new TestTicker();
    final Files files = new Files(Path.of("/"), Probe.NONE);
    final ContentStore store;
    final Path dir;

    Bench(Path dir) {
        this(dir, Limits.USUAL);
    }

    Bench(Path dir, Limits limits) {
        this.dir = dir;
        this.store = new ContentStore(
                dir.resolve("bundles"),
                files,
                ticker,
                new Sources(ticker, Optional.empty(), Sources.Patience.USUAL),
                limits);
    }

    static Bundles.Owner self() {
        try {
            return new Bundles.Owner((int) java.nio.file.Files.getAttribute(Path.of("/proc/self"), "unix:uid"), (int)
                    java.nio.file.Files.getAttribute(Path.of("/proc/self"), "unix:gid"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a shell line in the directory; what it prints. */
    String sh(String line) {
        try {
            Process process = new ProcessBuilder("sh", "-euc", line)
                    .directory(dir.toFile())
                    .redirectErrorStream(true)
                    .start();
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new AssertionError(line + ": " + out);
            }
            return out;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Every path below, with mode and content or target. */
    static Map<String, String> tree(Path top) {
        Map<String, String> seen = new TreeMap<>();
        try (Stream<Path> all = java.nio.file.Files.walk(top)) {
            for (Path path : all.filter(p -> !p.equals(top)).toList()) {
                seen.put(top.relativize(path).toString(), describe(path));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return seen;
    }

    private static String describe(Path path) throws IOException {
        if (java.nio.file.Files.isSymbolicLink(path)) {
            return "-> " + java.nio.file.Files.readSymbolicLink(path);
        }
        int mode = (int) java.nio.file.Files.getAttribute(path, "unix:mode") & 07777;
        String content = java.nio.file.Files.isDirectory(path)
                ? "/"
                : java.util.Arrays.hashCode(java.nio.file.Files.readAllBytes(path)) + "";
        return Integer.toOctalString(mode) + " " + content;
    }

    @Override
    public void close() {
        ticker.close();
    }
}
