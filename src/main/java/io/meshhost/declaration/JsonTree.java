package io.meshhost.declaration;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** JSON (RFC 8259, nothing looser) to a {@link Node}. */
final class JsonTree {
    private final JsonParser parser;
    private final SourceText.Cursor cursor;
    private final Faults faults;

    private JsonTree(JsonParser parser, SourceText.Cursor cursor, Faults faults) {
        this.parser = parser;
        this.cursor = cursor;
        this.faults = faults;
    }

    static Node read(String text, Faults faults) throws Unreadable {
        JsonFactory factory = JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxStringLength(SourceText.MAX_BYTES)
                        .maxNameLength(SourceText.MAX_BYTES)
                        .build())
                .build();
        try (JsonParser parser = factory.createParser(text.toCharArray())) {
            JsonTree tree = new JsonTree(parser, new SourceText.Cursor(text), faults);
            return tree.document();
        } catch (JsonProcessingException e) {
            long offset = e.getLocation() == null ? 0 : e.getLocation().getCharOffset();
            // The location of an error is a little past the last token: a walk of its own finds it.
            throw new Unreadable(new SourceText.Cursor(text).at(offset), "this is not JSON: " + words(e));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String words(JsonProcessingException e) {
        String message = String.valueOf(e.getOriginalMessage());
        int junk = message.indexOf(" (start marker at");
        String shortened = junk >= 0 ? message.substring(0, junk) : message;
        // Of Jackson's words those for its own programmers are left out.
        String line = shortened
                .lines()
                .findFirst()
                .orElse("a syntax error")
                .replaceAll(" \\(code \\d+[^)]*\\)", "")
                .replaceAll(": maybe a \\(non-standard\\) comment.*", ", and JSON has no comments");
        return line.substring(0, 1).toLowerCase(Locale.ROOT) + line.substring(1);
    }

    private Node document() throws IOException, Unreadable {
        parser.nextToken();
        Node root = value(here(Place.root(1, 1)), 0);
        if (parser.nextToken() != null) {
            throw new Unreadable(here(Place.root(1, 1)), "a second value follows the declaration; a file holds one");
        }
        return root;
    }

    private Place here(Place named) {
        Place at = cursor.at(parser.currentTokenLocation().getCharOffset());
        return named.at(at.line(), at.column());
    }

    private Node value(Place place, int depth) throws IOException, Unreadable {
        if (depth > SourceText.MAX_DEPTH) {
            throw new Unreadable(place, "lists and objects are nested deeper than " + SourceText.MAX_DEPTH + " levels");
        }
        return switch (parser.currentToken()) {
            case START_OBJECT -> mapping(place, depth);
            case START_ARRAY -> listing(place, depth);
            case VALUE_STRING -> Scalars.text(place, parser.getText(), faults);
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT ->
                new Node.Scalar(place, Node.Kind.NUMBER, parser.getText(), false);
            case VALUE_TRUE, VALUE_FALSE -> new Node.Scalar(place, Node.Kind.FLAG, parser.getText(), false);
            case VALUE_NULL -> new Node.Scalar(place, Node.Kind.NOTHING, "null", false);
            case NOT_AVAILABLE, END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT ->
                throw new Unreadable(place, "this is not JSON: a value is missing");
        };
    }

    private Node listing(Place place, int depth) throws IOException, Unreadable {
        List<Node> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            Place item = here(place.child(Integer.toString(items.size()), 0, 0));
            items.add(value(item, depth + 1));
        }
        return new Node.Listing(place, items);
    }

    private Node mapping(Place place, int depth) throws IOException, Unreadable {
        Map<String, Node.Entry> entries = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            Place key = here(place.child(name, 0, 0));
            parser.nextToken();
            Node value = value(here(key), depth + 1);
            Scalars.put(entries, name, new Node.Entry(key, value), faults);
        }
        return new Node.Mapping(place, entries);
    }
}
