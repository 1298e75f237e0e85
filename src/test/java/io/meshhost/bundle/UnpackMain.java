package io.meshhost.bundle;

import io.meshhost.machine.Files;
import io.meshhost.machine.Probe;
import io.meshhost.machine.Progress;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/** The bundle room as a program of its own, for what depends on how a program is started. */
final class UnpackMain {
    private UnpackMain() {}

    /** Arguments: {@code STORE SOURCE SHA256 INTO}. */
    public static void main(String[] args) throws IOException {
        try (TestTicker ticker = new TestTicker()) {
            Bundles store =
                    new ContentStore(Path.of(args[0]), new Files(Path.of("/"), Probe.NONE), ticker, Optional.empty());
            Path blob = store.fetch(URI.create(args[1]), args[2], Progress.NONE);
            int entries = store.unpack(blob, 0, Path.of(args[3]), Bench.self(), Progress.NONE)
                    .size();
            System.out.println("entries: " + entries);
        } catch (BundleFailure e) {
            System.out.println(e.sentence());
            System.exit(1);
        }
        java.nio.file.Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .forEach(System.out::println);
    }
}
