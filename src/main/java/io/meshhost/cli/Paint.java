package io.meshhost.cli;

/** Colours a word, or does not (ECMA-48 SGR). */
record Paint(boolean on) {
    String good(String text) {
        return sgr("32", text);
    }

    String bad(String text) {
        return sgr("1;31", text);
    }

    String change(String text) {
        return sgr("33", text);
    }

    String quiet(String text) {
        return sgr("2", text);
    }

    /** By the word of an {@code Action}. */
    String action(String word, String text) {
        return switch (word) {
            case "failed" -> bad(text);
            case "created" -> good(text);
            case "unchanged", "skipped" -> quiet(text);
            default -> change(text);
        };
    }

    private String sgr(String code, String text) {
        return on ? "\033[" + code + "m" + text + "\033[0m" : text;
    }
}
