package io.meshhost.declaration;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.declaration.Shape.Field;
import io.meshhost.declaration.Shape.Rule;
import io.meshhost.declaration.Shape.Struct;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code docs/declaration.md} says what the table says: the part between its marks is written from it. With
 * {@code -Dgolden.update=true} it is written anew.
 */
class DeclarationDocsTest {
    private static final Path PAGE = Path.of("docs/declaration.md");
    private static final String BEGIN = "<!-- generated from the table of fields: begin -->\n";
    private static final String END = "<!-- generated from the table of fields: end -->\n";

    @Test
    void thePageSaysWhatTheTableSays() throws IOException {
        String page = Files.readString(PAGE);
        int begin = page.indexOf(BEGIN) + BEGIN.length();
        int end = page.indexOf(END);
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(PAGE, page.substring(0, begin) + tables() + page.substring(end));
            return;
        }
        assertThat(page.substring(begin, end)).isEqualTo(tables());
    }

    static Stream<Path> examples() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("examples"))) {
            return files.filter(file -> file.toString().matches(".*\\.(json|yaml|yml)")).sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void everyExampleIsADeclarationWithoutFault(Path example) throws IOException {
        Reading reading = Declarations.read(
                Files.readAllBytes(example),
                example.toString(),
                Path.of("examples").toAbsolutePath(),
                new MachineFacts("box1", "debian", Map.of()));
        assertThat(reading.faults().stream().filter(fault -> !fault.warning())).isEmpty();
        assertThat(reading.declaration()).isPresent();
    }

    @ParameterizedTest
    @MethodSource("examples")
    void everyExampleIsAcceptedByTheSchema(Path example) throws IOException, Unreadable {
        String text = Files.readString(example);
        Faults faults = new Faults("");
        Node node = example.toString().endsWith(".json") ? JsonTree.read(text, faults) : YamlTree.read(text, faults);
        assertThat(new MiniSchema(Schema.node()).accepts(SchemaTest.json(node))).isTrue();
    }

    /** What the page says of a whole declaration, said in YAML, is one. */
    @Test
    void theCodeBlocksOfThePageAreDeclarations() throws IOException {
        Matcher blocks = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(PAGE));
        List<Reading> readings = new ArrayList<>();
        while (blocks.find()) {
            readings.add(DeclarationPropertiesTest.read(blocks.group(1).getBytes(StandardCharsets.UTF_8), "x.yaml"));
        }
        assertThat(readings)
                .hasSize(2)
                .allSatisfy(reading -> assertThat(reading.faults()).isEmpty());
    }

    private static String tables() {
        StringBuilder page = new StringBuilder();
        section(page, Table.WHOLE, "A whole declaration");
        section(page, Table.MODULE, "A manifest");
        section(page, Table.BUILD, "`build`");
        section(page, Table.ARTIFACT, "An entry of `build.artifacts`");
        Table.RESOURCES.forEach(struct -> section(page, struct, "`" + struct.name() + "`"));
        section(page, Shapes.LIMITS, "`limits` of a process");
        section(page, Shapes.HEALTH, "`health` of a process");
        section(page, Shapes.SECRET, "A secret value of `env`");
        return page.toString();
    }

    private static void section(StringBuilder page, Struct struct, String title) {
        page.append("\n### ").append(title).append("\n\n").append(struct.doc()).append("\n\n");
        page.append("| field | what to write | without it | meaning | example |\n|---|---|---|---|---|\n");
        for (Field field : struct.fields()) {
            String without =
                    field.required() ? "**refused**" : field.fallback().isEmpty() ? "nothing" : field.fallback();
            page.append("| `")
                    .append(field.name())
                    .append("` | ")
                    .append(cell(field.shape().want()))
                    .append(" | ")
                    .append(cell(without))
                    .append(" | ")
                    .append(cell(field.doc()))
                    .append(" | `")
                    .append(cell(field.example()))
                    .append("` |\n");
        }
        struct.rules().forEach(rule -> page.append("\n- ").append(rule(rule)).append(".\n"));
    }

    private static String rule(Rule rule) {
        return switch (rule) {
            case Rule.OneOf(List<List<String>> groups) ->
                "Exactly one of "
                        + groups.stream().map(DeclarationDocsTest::group).collect(Collectors.joining(", "));
            case Rule.NotBoth(String first, String second, String _) ->
                "Not `" + first + "` together with `" + second + "`";
            case Rule.Needs(String field, String other) -> "`" + field + "` only with `" + other + "`";
        };
    }

    private static String group(List<String> names) {
        return names.stream().map(name -> "`" + name + "`").collect(Collectors.joining(" with "));
    }

    private static String cell(String text) {
        return text.replace("|", "\\|");
    }
}
