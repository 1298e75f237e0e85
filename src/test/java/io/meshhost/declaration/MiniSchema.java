package io.meshhost.declaration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

/**
 * The part of JSON Schema 2020-12 that {@link Schema} writes, read independently of the parser's table. A word that
 * it does not know is an error: a schema that says more than is tested would not be held equal to anything.
 */
final class MiniSchema {
    private final JsonNode root;

    MiniSchema(JsonNode root) {
        this.root = root;
    }

    boolean accepts(JsonNode value) {
        return accepts(root, value);
    }

    private boolean accepts(JsonNode schema, JsonNode value) {
        if (schema.isBoolean()) {
            return schema.booleanValue();
        }
        for (Map.Entry<String, JsonNode> word : schema.properties()) {
            if (!holds(word.getKey(), word.getValue(), schema, value)) {
                return false;
            }
        }
        return true;
    }

    private boolean holds(String word, JsonNode told, JsonNode schema, JsonNode value) {
        return switch (word) {
            case "$schema", "title", "description", "$defs", "then", "else" -> true;
            case "$ref" -> accepts(root.at(told.textValue().substring(1)), value);
            case "type" ->
                told.isArray() ? any(told, type -> is(type.textValue(), value)) : is(told.textValue(), value);
            case "enum" -> any(told, value::equals);
            case "const" -> told.equals(value);
            case "pattern" ->
                !value.isTextual()
                        || Pattern.compile(told.textValue().replaceAll("\\$$", "\\\\z"))
                                .matcher(value.textValue())
                                .find();
            case "maxLength" -> !value.isTextual() || value.textValue().length() <= told.intValue();
            case "minimum" -> !value.isNumber() || value.decimalValue().compareTo(told.decimalValue()) >= 0;
            case "maximum" -> !value.isNumber() || value.decimalValue().compareTo(told.decimalValue()) <= 0;
            case "exclusiveMinimum" -> !value.isNumber() || value.decimalValue().compareTo(told.decimalValue()) > 0;
            case "minItems" -> !value.isArray() || value.size() >= told.intValue();
            case "minLength" -> !value.isTextual() || value.textValue().length() >= told.intValue();
            // The first items have schemas of their own; the rest, that of "items".
            case "prefixItems" -> !value.isArray() || value.isEmpty() || accepts(told.get(0), value.get(0));
            case "items" ->
                !value.isArray() || rest(value, schema.path("prefixItems").size(), told);
            case "required" -> !value.isObject() || all(told, name -> value.has(name.textValue()));
            case "properties" ->
                !value.isObject()
                        || told.properties().stream()
                                .allMatch(property -> !value.has(property.getKey())
                                        || accepts(property.getValue(), value.get(property.getKey())));
            case "propertyNames" ->
                !value.isObject() || names(value).stream().allMatch(name -> accepts(told, TextNode.valueOf(name)));
            case "additionalProperties" ->
                !value.isObject()
                        || names(value).stream()
                                .filter(name -> !schema.path("properties").has(name))
                                .allMatch(name -> accepts(told, value.get(name)));
            case "dependentRequired" ->
                !value.isObject()
                        || told.properties().stream()
                                .allMatch(dependent -> !value.has(dependent.getKey())
                                        || all(dependent.getValue(), name -> value.has(name.textValue())));
            case "allOf" -> all(told, one -> accepts(one, value));
            case "anyOf" -> any(told, one -> accepts(one, value));
            case "oneOf" -> count(told, one -> accepts(one, value)) == 1;
            case "not" -> !accepts(told, value);
            case "if" ->
                accepts(told, value)
                        ? !schema.has("then") || accepts(schema.get("then"), value)
                        : !schema.has("else") || accepts(schema.get("else"), value);
            default -> throw new IllegalStateException("the schema says " + word + ", which this test does not know");
        };
    }

    private boolean rest(JsonNode list, int from, JsonNode told) {
        return IntStream.range(from, list.size()).allMatch(index -> accepts(told, list.get(index)));
    }

    private static boolean is(String type, JsonNode value) {
        return switch (type) {
            case "string" -> value.isTextual();
            case "boolean" -> value.isBoolean();
            case "number" -> value.isNumber();
            case "integer" ->
                value.isNumber() && value.decimalValue().stripTrailingZeros().scale() <= 0;
            case "array" -> value.isArray();
            case "object" -> value.isObject();
            default -> throw new IllegalStateException(type);
        };
    }

    private static boolean all(JsonNode list, Predicate<JsonNode> test) {
        return count(list, test) == list.size();
    }

    private static boolean any(JsonNode list, Predicate<JsonNode> test) {
        return count(list, test) > 0;
    }

    private static long count(JsonNode list, Predicate<JsonNode> test) {
        return StreamSupport.stream(list.spliterator(), false).filter(test).count();
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
