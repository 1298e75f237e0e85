package io.meshhost.declaration;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meshhost.declaration.Shape.Field;
import io.meshhost.declaration.Shape.Rule;
import io.meshhost.declaration.Shape.Struct;
import java.util.List;

/**
 * The declaration's JSON Schema (draft 2020-12), made from the same table as the parser. It says all that one value
 * or one object can tell; what needs the whole document (ids, cycles, owners, cron, zones) only the parser says.
 */
public final class Schema {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private Schema() {}

    /** The schema as indented JSON, with a line end. */
    public static String json() {
        return node().toPrettyString() + "\n";
    }

    static ObjectNode node() {
        ObjectNode root = NODES.objectNode();
        root.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        root.put("title", "mesh-host declaration");
        root.put("description", "What one machine should be: a whole declaration, or one manifest alone.");
        root.put("type", "object");
        // The same question that the parser asks, so that a fault is told of the document that was meant.
        ObjectNode isManifest = root.putObject("if");
        isManifest.putObject("properties").put("modules", false);
        ArrayNode words = isManifest.putArray("anyOf");
        Table.MODULE
                .names()
                .forEach(name -> words.addObject().putArray("required").add(name));
        root.putObject("then").put("$ref", "#/$defs/manifest");
        root.putObject("else").put("$ref", "#/$defs/declaration");
        ObjectNode definitions = root.putObject("$defs");
        for (Struct struct : List.of(Table.WHOLE, Table.MODULE, Table.BUILD, Table.ARTIFACT)) {
            definitions.set(struct.name(), struct(struct));
        }
        definitions.set("resource", resource());
        Table.RESOURCES.forEach(struct -> definitions.set(struct.name(), struct(struct)));
        return root;
    }

    private static ObjectNode resource() {
        ObjectNode resource = NODES.objectNode();
        resource.put("type", "object");
        resource.putArray("required").add("type");
        ArrayNode types = resource.putObject("properties").putObject("type").putArray("enum");
        Table.RESOURCES.forEach(struct -> types.add(struct.name()));
        ArrayNode choices = resource.putArray("allOf");
        for (Struct struct : Table.RESOURCES) {
            ObjectNode choice = choices.addObject();
            ObjectNode asked = choice.putObject("if");
            asked.putObject("properties").putObject("type").put("const", struct.name());
            asked.putArray("required").add("type");
            choice.putObject("then").put("$ref", "#/$defs/" + struct.name());
        }
        return resource;
    }

    private static ObjectNode struct(Struct struct) {
        ObjectNode object = NODES.objectNode();
        object.put("description", struct.doc());
        object.put("type", "object");
        ObjectNode properties = object.putObject("properties");
        ArrayNode required = NODES.arrayNode();
        for (Field field : struct.fields()) {
            ObjectNode property = shape(field.shape());
            String fallback = field.fallback().isEmpty() ? "" : " Without it: " + field.fallback() + ".";
            property.put("description", field.doc() + fallback);
            properties.set(field.name(), property);
            if (field.required()) {
                required.add(field.name());
            }
        }
        if (!required.isEmpty()) {
            object.set("required", required);
        }
        object.put("additionalProperties", false);
        struct.rules().forEach(rule -> rule(rule, object));
        return object;
    }

    private static void rule(Rule rule, ObjectNode object) {
        switch (rule) {
            case Rule.OneOf(List<List<String>> groups) -> {
                ArrayNode choices = object.putArray("oneOf");
                groups.forEach(group -> choices.add(oneOf(group, groups)));
            }
            case Rule.NotBoth(String first, String second, String _) -> {
                ObjectNode both = object.withArray("allOf").addObject().putObject("not");
                both.putArray("required").add(first).add(second);
                ObjectNode meant = both.putObject("properties");
                List.of(first, second)
                        .forEach(name -> meant.putObject(name).putObject("not").put("const", false));
            }
            case Rule.Needs(String field, String other) ->
                object.withObject("/dependentRequired").putArray(field).add(other);
        }
    }

    private static ObjectNode oneOf(List<String> group, List<List<String>> groups) {
        ObjectNode choice = NODES.objectNode();
        group.forEach(choice.putArray("required")::add);
        ObjectNode absent = choice.putObject("properties");
        groups.stream()
                .flatMap(List::stream)
                .filter(name -> !group.contains(name))
                .forEach(name -> absent.put(name, false));
        return choice;
    }

    private static ObjectNode shape(Shape shape) {
        ObjectNode node = NODES.objectNode();
        switch (shape) {
            case Shape.Text text -> node.setAll(text(text));
            case Shape.Choice choice -> choice.words().forEach(node.putArray("enum")::add);
            case Shape.Flag _ -> node.put("type", "boolean");
            case Shape.Whole whole ->
                node.put("type", "integer").put("minimum", whole.least()).put("maximum", whole.most());
            case Shape.Decimal _ -> node.put("type", "number").put("exclusiveMinimum", 0);
            case Shape.Word word -> word(word, node);
            case Shape.ListOf list -> {
                node.put("type", "array").put("minItems", list.least());
                if (list.command()) {
                    node.putArray("prefixItems").add(shape(list.item()).put("minLength", 1));
                }
                node.set("items", shape(list.item()));
            }
            case Shape.MapOf map -> {
                node.put("type", "object");
                node.set("propertyNames", shape(map.key()));
                node.set("additionalProperties", shape(map.value()));
            }
            case Shape.Either either ->
                node.putArray("anyOf").add(shape(either.first())).add(shape(either.second()));
            case Struct struct -> referenced(struct, node);
            case Shape.ByType _ -> node.put("$ref", "#/$defs/resource");
        }
        return node;
    }

    /** No text has more characters than bytes; the bytes only the parser counts. */
    private static void word(Shape.Word word, ObjectNode node) {
        node.setAll(text(Shapes.ANY));
        node.put("maxLength", word.longest());
        node.putArray("type").add("string").add("number").add("boolean");
    }

    private static ObjectNode text(Shape.Text text) {
        return NODES.objectNode()
                .put("type", "string")
                .put("pattern", "^(?:" + text.body().pattern() + ")$")
                .put("maxLength", text.longest());
    }

    /** Structs with a definition of their own are referred to, so that an editor can show their name. */
    private static void referenced(Struct struct, ObjectNode node) {
        if (List.of(Table.MODULE.name(), Table.BUILD.name(), Table.ARTIFACT.name())
                .contains(struct.name())) {
            node.put("$ref", "#/$defs/" + struct.name());
        } else {
            node.setAll(struct(struct));
        }
    }
}
