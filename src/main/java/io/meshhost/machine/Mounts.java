package io.meshhost.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Mount points as /proc/self/mountinfo lists them (proc(5)). */
final class Mounts {
    private static final int POINT = 4;

    private Mounts() {}

    /** Mount points strictly below the directory. */
    static List<Path> below(Path directory) throws IOException {
        return points().stream()
                .filter(point -> point.startsWith(directory) && !point.equals(directory))
                .toList();
    }

    static boolean isMountPoint(Path path) {
        try {
            return points().contains(path);
        } catch (IOException e) {
            return false;
        }
    }

    private static List<Path> points() throws IOException {
        List<Path> points = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("/proc/self/mountinfo"))) {
            String[] fields = line.split(" ", -1);
            if (fields.length > POINT) {
                points.add(Path.of(unescape(fields[POINT])));
            }
        }
        return points;
    }

    /** Space, tab, newline and backslash are written there as a backslash and three octal digits. */
    static String unescape(String text) {
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && i + 3 < text.length()) {
                plain.append((char) Integer.parseInt(text, i + 1, i + 4, 8));
                i += 3;
            } else {
                plain.append(c);
            }
        }
        return plain.toString();
    }
}
