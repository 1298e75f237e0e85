package io.meshhost.declaration;

import java.util.List;
import java.util.regex.Pattern;

/**
 * What a field may hold, as far as one value alone can tell. The parser, the JSON Schema and the documentation are
 * all made from it, so they cannot differ.
 */
sealed interface Shape {
    /** Words for a person, to follow "write": what is right, with an example where one helps. */
    String want();

    /**
     * A string.
     *
     * @param body a regular expression for the whole of it, in what Java and ECMA-262 share; no repeated groups:
     *     Java's matcher would recurse on them
     * @param longest in characters
     * @param nul whether it may hold a NUL: only what a file says may
     * @param bareOctal whether YAML's unquoted digits are taken as written: a mode
     */
    record Text(String want, Pattern body, int longest, boolean nul, boolean bareOctal) implements Shape {
        static Text of(String want, String body) {
            return new Text(want, Pattern.compile(body, Pattern.DOTALL), 4096, false, false);
        }
    }

    /** One of a few words. */
    record Choice(List<String> words) implements Shape {
        @Override
        public String want() {
            return Words.or(words);
        }
    }

    record Flag() implements Shape {
        @Override
        public String want() {
            return "true or false";
        }
    }

    record Whole(String want, long least, long most) implements Shape {}

    /** A number above zero, a fraction allowed. */
    record Decimal(String want) implements Shape {}

    /**
     * A string, or a number or boolean that every reader writes alike and that is taken as it is written.
     *
     * @param longest in bytes of UTF-8
     */
    record Word(String want, int longest) implements Shape {}

    /**
     * @param least how many items there must be
     * @param command whether it is a command: its first word may not be empty
     */
    record ListOf(String want, Shape item, int least, boolean command) implements Shape {
        static ListOf of(String want, Shape item) {
            return new ListOf(want, item, 0, false);
        }
    }

    record MapOf(String want, Text key, Shape value) implements Shape {}

    /** One of two; which, the kind of the value decides: {@code second} where it is what {@code first} cannot be. */
    record Either(String want, Shape first, Shape second) implements Shape {}

    /** An object of known fields. */
    record Struct(String name, String doc, List<Field> fields, List<Rule> rules) implements Shape {
        @Override
        public String want() {
            return "an object with " + String.join(", ", names());
        }

        /** For a sentence; some names are plural or cannot be counted. */
        String called() {
            return List.of("build", "limits", "health").contains(name)
                    ? name
                    : (name.startsWith("a") ? "an " : "a ") + name;
        }

        List<String> names() {
            return fields.stream().map(Field::name).toList();
        }
    }

    /** A resource: the field of that name chooses among these structs. */
    record ByType(List<Struct> choices) implements Shape {
        @Override
        public String want() {
            return "a resource, an object with id and type";
        }
    }

    /**
     * @param fallback what holds where the field is not there, in words; "" where nothing does
     * @param doc sentences for the documentation and the schema
     * @param example a value as JSON
     */
    record Field(String name, Shape shape, boolean required, String fallback, String doc, String example) {
        static Field must(String name, Shape shape, String doc, String example) {
            return new Field(name, shape, true, "", doc, example);
        }

        static Field may(String name, Shape shape, String fallback, String doc, String example) {
            return new Field(name, shape, false, fallback, doc, example);
        }
    }

    /** What holds between the fields of one object. */
    sealed interface Rule {
        /** Exactly one of the groups is there, whole, and nothing of the others. */
        record OneOf(List<List<String>> groups) implements Rule {}

        /** Not both, false counting as absent. */
        record NotBoth(String first, String second, String sentence) implements Rule {}

        /** The first makes no sense without the second. */
        record Needs(String field, String other) implements Rule {}
    }
}
