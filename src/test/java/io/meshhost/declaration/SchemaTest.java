package io.meshhost.declaration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The schema and the parser accept the same, as far as a schema can tell: every node of every kind, bent every way. */
class SchemaTest {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    /** What a text there must mean only the parser can know: a cron expression, a zone, this machine, a name said elsewhere. */
    private static final Set<String> MEANING = Set.of("schedule", "timezone", "node", "artifact");

    private static final String DIGEST = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

    private static final List<String> BENT = List.of(
            "null",
            "true",
            "false",
            "7",
            "-1",
            "0",
            "1.5",
            "\"x\"",
            "\"\"",
            "\"/x\"",
            "\"a b\"",
            "\"0644\"",
            "\"9\"",
            "\"1h\"",
            "\"none\"",
            "\"\\u0000\"",
            "[]",
            "[\"\"]",
            "[7]",
            "[null]",
            "{}",
            "{\"x\":1}",
            "{\"secret\":\"x\"}");

    private final MiniSchema schema = new MiniSchema(Schema.node());

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'id':'r','type':'file','path':'/a','mode':'0644','owner':'root','group':7,'secret':false,'content':'x','after':[]}",
                "{'id':'r','type':'file','path':'/a','template':'x','restart_on':[]}",
                "{'id':'r','type':'file','path':'/a','source':'x','digest':'DIGEST'}",
                "{'id':'r','type':'directory','path':'/a','mode':'755','owner':0}",
                "{'id':'r','type':'archive','path':'/a','strip':1,'source':'x','digest':'DIGEST'}",
                "{'id':'r','type':'archive','path':'/a','artifact':'app'}",
                "{'id':'r','type':'user','name':'app','uid':7,'home':'/h','shell':'/s','groups':['adm',7],'system':true}",
                "{'id':'r','type':'service','unit':'ssh','state':'running','enabled':true}",
                "{'id':'r','type':'process','name':'web','source':'x','digest':'DIGEST','run':['a',7,true],"
                        + "'env':{'A':'b','C':7,'S':{'secret':'x'}},'env_file':['/e'],'user':'app',"
                        + "'limits':{'memory':'512M','cpu':1.5,'tasks':7,'files':7},'sandbox':'none',"
                        + "'health':{'http':'http://h/x','interval':'1s','timeout':'1m'}}",
                "{'id':'r','type':'process','name':'web','source':'x','digest':'DIGEST','run':['a'],'env_file':'/e',"
                        + "'user':7,'limits':{'memory':7},'health':{'socket':'/s'}}",
                "{'id':'r','type':'process','name':'web','source':'x','digest':'DIGEST','run':['a'],"
                        + "'health':{'command':['a']}}",
                "{'id':'r','type':'process','name':'web','source':'x','digest':'DIGEST','run':['a'],'run_once':true,"
                        + "'timeout':'1h'}",
                "{'id':'r','type':'process','name':'web','source':'x','digest':'DIGEST','run':['a'],"
                        + "'schedule':'@daily','timezone':'UTC','run_once':false}"
            })
    void everyBentDocumentIsRefusedByBothOrByNeither(String resource) throws JsonProcessingException {
        String text =
                ("{'node':'box1','serial':7,'modules':[{'module':'m','version':'1','slug':'s','build':{'artifacts':["
                                + "{'name':'app','kind':'k','system':'debian','source':'x','digest':'DIGEST'}]},'resources':["
                                + resource + "]}]}")
                        .replace('\'', '"')
                        .replace("DIGEST", DIGEST);
        JsonNode whole = JSON.readTree(text);
        assertThat(parser(whole)).as(faults(whole)).isTrue();
        List<String> different = new ArrayList<>();
        for (JsonNode document : List.of(whole, whole.at("/modules/0"))) {
            bend(document, different);
        }
        assertThat(different).isEmpty();
    }

    @Test
    void everyExampleOfTheTableFitsItsField() throws JsonProcessingException {
        List<Shape.Struct> structs = new ArrayList<>(Table.RESOURCES);
        structs.addAll(List.of(
                Table.WHOLE, Table.MODULE, Table.BUILD, Table.ARTIFACT, Shapes.LIMITS, Shapes.HEALTH, Shapes.SECRET));
        Faults faults = new Faults("example.json");
        Checker checker = new Checker(faults, new Nearest());
        for (Shape.Struct struct : structs) {
            for (Shape.Field field : struct.fields()) {
                try {
                    checker.fits(JsonTree.read(field.example(), faults), field.shape(), field.name());
                } catch (Unreadable e) {
                    faults.add(e.place(), field.name() + " " + e.sentence());
                }
            }
        }
        assertThat(faults.all()).isEmpty();
    }

    @Test
    void itIsJsonWithTheDialectItIsWrittenIn() throws JsonProcessingException {
        assertThat(JSON.readTree(Schema.json()).path("$schema").asText())
                .isEqualTo("https://json-schema.org/draft/2020-12/schema");
    }

    /** A document as a JSON reader would have it; YAML's unquoted words are what YAML 1.2 says they are. */
    static JsonNode json(Node node) {
        return switch (node) {
            case Node.Listing listing -> {
                ArrayNode array = JSON.createArrayNode();
                listing.items().forEach(item -> array.add(json(item)));
                yield array;
            }
            case Node.Mapping mapping -> {
                ObjectNode object = JSON.createObjectNode();
                mapping.entries().forEach((name, entry) -> object.set(name, json(entry.value())));
                yield object;
            }
            case Node.Broken _ -> JSON.getNodeFactory().nullNode();
            case Node.Scalar scalar ->
                switch (scalar.kind()) {
                    case TEXT, LOOSE -> JSON.getNodeFactory().textNode(scalar.text());
                    case FLAG -> JSON.getNodeFactory().booleanNode(scalar.text().equals("true"));
                    case NUMBER -> JSON.getNodeFactory().numberNode(new BigDecimal(scalar.text()));
                    case NOTHING -> JSON.getNodeFactory().nullNode();
                };
        };
    }

    private void bend(JsonNode document, List<String> different) throws JsonProcessingException {
        List<JsonPointer> pointers = new ArrayList<>();
        gather(document, JsonPointer.empty(), pointers);
        for (JsonPointer pointer : pointers) {
            for (String bent : BENT) {
                if (!(bent.startsWith("\"") && MEANING.contains(name(pointer)))) {
                    compare(
                            replaced(document, pointer, Optional.of(JSON.readTree(bent))),
                            pointer + " = " + bent,
                            different);
                }
            }
            compare(replaced(document, pointer, Optional.empty()), pointer + " removed", different);
            if (document.at(pointer).isObject()) {
                for (Shape.Field field : fields()) {
                    // Meanings again: an artifact's name is known here only as "app".
                    JsonNode example =
                            field.name().equals("node") ? JSON.readTree("\"box1\"") : JSON.readTree(field.example());
                    if (!field.name().equals("type") && !document.at(pointer).has(field.name())) {
                        compare(
                                replaced(document, pointer.appendProperty(field.name()), Optional.of(example)),
                                pointer + " with " + field.name(),
                                different);
                    }
                }
            }
        }
    }

    private void compare(JsonNode document, String what, List<String> different) {
        boolean parsed = parser(document);
        // That a name is said in another place is the parser's alone to know.
        boolean elsewhere = read(document).faults().stream()
                .anyMatch(fault -> fault.message().startsWith("build.artifacts has no"));
        if (parsed != schema.accepts(document) && !elsewhere) {
            different.add(
                    what + ": the parser " + (parsed ? "accepts, the schema refuses" : "says " + faults(document)));
        }
    }

    private static List<Shape.Field> fields() {
        List<Shape.Field> fields = new ArrayList<>();
        Table.RESOURCES.forEach(struct -> fields.addAll(struct.fields()));
        fields.addAll(Shapes.HEALTH.fields());
        fields.addAll(Table.WHOLE.fields());
        fields.removeIf(field -> Set.of("after", "restart_on", "id").contains(field.name()));
        return fields;
    }

    private static String name(JsonPointer pointer) {
        return pointer.last() == null ? "" : pointer.last().getMatchingProperty();
    }

    private static void gather(JsonNode node, JsonPointer at, List<JsonPointer> pointers) {
        pointers.add(at);
        if (node.isObject()) {
            node.properties().forEach(entry -> gather(entry.getValue(), at.appendProperty(entry.getKey()), pointers));
        }
        for (int i = 0; node.isArray() && i < node.size(); i++) {
            gather(node.get(i), at.appendIndex(i), pointers);
        }
    }

    private static JsonNode replaced(JsonNode document, JsonPointer pointer, Optional<JsonNode> value) {
        if (pointer.matches()) {
            return value.orElse(JSON.getNodeFactory().objectNode());
        }
        JsonNode copy = document.deepCopy();
        JsonNode parent = copy.at(pointer.head());
        if (parent instanceof ObjectNode object) {
            value.ifPresentOrElse(it -> object.set(name(pointer), it), () -> object.remove(name(pointer)));
        } else if (parent instanceof ArrayNode array) {
            int index = pointer.last().getMatchingIndex();
            value.ifPresentOrElse(it -> array.set(index, it), () -> array.remove(index));
        }
        return copy;
    }

    private static boolean parser(JsonNode document) {
        return read(document).declaration().isPresent();
    }

    private static String faults(JsonNode document) {
        return read(document).faults().toString();
    }

    private static Reading read(JsonNode document) {
        return Declarations.read(
                document.toString().getBytes(StandardCharsets.UTF_8),
                "declaration.json",
                Path.of("/base"),
                new MachineFacts("box1", "debian", Map.of()));
    }
}
