package io.meshhost.cli;

import java.util.List;
import picocli.CommandLine.Command;

/** {@code schema}: the declaration's JSON Schema. */
@Command(
        name = "schema",
        description = "Prints the JSON Schema of declarations, for editors.",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExample:%n",
        footer = "  nox-mesh-host schema > declaration.schema.json")
final class SchemaCommand extends PlainCommand {
    SchemaCommand(World world) {
        super(world);
    }

    @Override
    List<String> print() {
        return List.of(io.meshhost.declaration.Schema.json().stripTrailing());
    }
}
