package io.meshhost.declaration;

import java.util.List;
import java.util.Map;

/** A value of the document as it was written, and where. JSON and YAML both become this before anything is judged. */
sealed interface Node {
    Place place();

    /**
     * A single value.
     *
     * @param text as written, unescaped; a number keeps its digits, so {@code 0644} is not 420
     * @param bare unquoted in YAML
     */
    record Scalar(Place place, Kind kind, String text, boolean bare) implements Node {}

    record Listing(Place place, List<Node> items) implements Node {}

    /** Keys in the order of the document; of a key that is there twice, the first. */
    record Mapping(Place place, Map<String, Entry> entries) implements Node {}

    /** What could not be taken up; its fault is said already, so nothing more is said about it. */
    record Broken(Place place) implements Node {}

    /**
     * A key and its value.
     *
     * @param key where the key stands; {@code value.place()} has the same pointer
     */
    record Entry(Place key, Node value) {}

    /** What a scalar is. {@code LOOSE} is YAML's unquoted yes, no, on and off: a boolean to some readers, text to others. */
    enum Kind {
        TEXT,
        NUMBER,
        FLAG,
        NOTHING,
        LOOSE
    }

    /** What was found, for a sentence. */
    static String found(Node node, Shape wanted) {
        return switch (node) {
            case Listing _ -> "a list";
            case Mapping _ -> "an object";
            case Broken _ -> "not readable";
            case Scalar scalar ->
                switch (scalar.kind()) {
                    case TEXT -> "text";
                    case NUMBER ->
                        wanted instanceof Shape.Word ? "a number that readers do not write alike" : "a number";
                    case FLAG -> scalar.text();
                    case NOTHING -> "null";
                    case LOOSE -> scalar.text() + " without quotes";
                };
        };
    }
}
