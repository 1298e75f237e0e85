package io.meshhost.machine;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Who has a file open, as /proc tells (proc(5)). Processes of other users are seen by root only. */
public final class OpenFiles {
    private static final int ACCESS_MODE = 3;

    private OpenFiles() {}

    /**
     * Pids that have the file open for writing, in ascending order: what they write may be half.
     *
     * <p>By inode, so a writer who knows it under another name counts.
     */
    public static List<Integer> writers(Path file) {
        List<Integer> pids = new ArrayList<>();
        try {
            Optional<Stat> wanted = Stats.find(file);
            if (wanted.isEmpty()) {
                return List.of();
            }
            try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
                for (Path process : processes) {
                    if (writes(process, wanted.get())) {
                        pids.add(Integer.parseInt(Walk.name(process).toString()));
                    }
                }
            }
        } catch (IOException e) {
            throw new MachineFailure("cannot see who writes " + file + ": " + e.getMessage(), e);
        }
        return pids.stream().sorted().toList();
    }

    private static boolean writes(Path process, Stat wanted) {
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(process.resolve("fd"))) {
            for (Path descriptor : descriptors) {
                if (isOn(descriptor, wanted)
                        && forWriting(process.resolve("fdinfo").resolve(Walk.name(descriptor)))) {
                    return true;
                }
            }
        } catch (IOException e) {
            // It ended meanwhile, or is not ours to look at.
            return false;
        }
        return false;
    }

    /** The link's text first: what is no path is no file, and stat on it costs more. */
    private static boolean isOn(Path descriptor, Stat wanted) {
        try {
            if (!Files.readSymbolicLink(descriptor).isAbsolute()) {
                return false;
            }
            return Stats.find(descriptor)
                    .filter(stat -> stat.inode() == wanted.inode() && stat.device() == wanted.device())
                    .isPresent();
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean forWriting(Path info) throws IOException {
        return Files.readAllLines(info).stream()
                .filter(line -> line.startsWith("flags:"))
                .mapToLong(
                        line -> Long.parseLong(line.substring("flags:".length()).trim(), 8))
                .anyMatch(flags -> (flags & ACCESS_MODE) != 0);
    }
}
