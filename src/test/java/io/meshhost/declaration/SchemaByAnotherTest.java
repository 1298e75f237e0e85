package io.meshhost.declaration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaId;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SpecVersion.VersionFlag;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The schema as an independent validator understands it, which is what an editor will use. */
class SchemaByAnotherTest {
    private static final JsonSchemaFactory DRAFT_2020_12 = JsonSchemaFactory.getInstance(VersionFlag.V202012);

    static Stream<Path> examples() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("examples"))) {
            return files.filter(Files::isRegularFile).sorted().toList().stream();
        }
    }

    private static JsonNode schema() {
        return Schema.node();
    }

    @Test
    void itIsAJsonSchemaOfDraft202012() {
        assertThat(schema().path("$schema").asText()).isEqualTo(SchemaId.V202012);
        JsonSchema metaSchema = DRAFT_2020_12.getSchema(SchemaLocation.of(SchemaId.V202012));
        assertThat(metaSchema.validate(schema())).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("examples")
    void everyExampleKeepsIt(Path example) throws IOException {
        ObjectMapper reader = example.toString().endsWith(".json") ? new ObjectMapper() : new YAMLMapper();
        JsonNode document = reader.readTree(example.toFile());
        assertThat(DRAFT_2020_12.getSchema(schema()).validate(document)).isEmpty();
    }

    @Test
    void anUnknownFieldAndAMissingOneAreFoundByItToo() throws IOException {
        assertThat(faults("{id: a, type: file, path: /etc/a, content: x}")).isZero();
        assertThat(faults("{id: a, type: file, path: /etc/a, content: x, colour: red}"))
                .isPositive();
        assertThat(faults("{id: a, type: file, content: x}")).isPositive();
    }

    private static int faults(String resource) throws IOException {
        JsonNode manifest =
                new YAMLMapper().readTree("{module: hello, version: '1', slug: hello, resources: [" + resource + "]}");
        return DRAFT_2020_12.getSchema(schema()).validate(manifest).size();
    }
}
