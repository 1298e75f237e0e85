package io.meshhost.machine.services;

import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Random text of every byte but NUL, leaning towards what some reader on the way could take for its own syntax. */
record RandomText(Random random) {
    private static final int LARGE = 64 * 1024;
    private static final List<String> ODD = List.of(
            "\n", "\r", "\r\n", "\t", "\"", "'", "\\", "\\\n", "\\n", "\\x41", "%", "%%", "%h", "$", "$$", "${HOME}",
            "$HOME", ";", "#", " ", "  ", "=", "`", "[", "]", "-", "@", "+", "!", ":", "|", "*", "~", "\u000b", "\f",
            "\u0001", "\u001b", "\u007f", "ä", "€", "😀", "\u0085", "\u00a0", "\u2028", "\ufeff", "\ufffd", "e\u0301");

    /** Short, empty among it; begins and ends with anything. */
    String value() {
        return text(random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(24));
    }

    /** As long as 64 KiB. */
    String large() {
        StringBuilder out = new StringBuilder(LARGE + 1);
        while (out.length() < LARGE) {
            out.append(text(64));
        }
        return out.substring(0, LARGE - 1) + "\\";
    }

    private String text(int pieces) {
        return IntStream.range(0, pieces).mapToObj(_ -> piece()).collect(Collectors.joining());
    }

    private String piece() {
        return random.nextBoolean()
                ? ODD.get(random.nextInt(ODD.size()))
                : String.valueOf((char) (1 + random.nextInt(127)));
    }

    /** A name of a file. */
    String name() {
        String name = value().replace("/", "").strip();
        return name.isEmpty() || name.equals(".") || name.equals("..") ? name() : name;
    }
}
