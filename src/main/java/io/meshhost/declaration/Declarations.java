package io.meshhost.declaration;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads declarations: bytes to a {@link Declaration}, or all that is wrong with them at once (SPEC 2). */
public final class Declarations {
    private Declarations() {}

    /**
     * Reads a declaration, or one manifest alone. Pure: no file is read, no source looked at.
     *
     * @param bytes JSON or YAML in UTF-8, 16 MiB at most
     * @param fileName for the faults, and for its ending: {@code .json}, {@code .yaml} or {@code .yml}; with any
     *     other, what begins with a brace or bracket is JSON and the rest YAML
     * @param baseDirectory where relative sources begin: the directory of the declaration's file
     */
    public static Reading read(byte[] bytes, String fileName, Path baseDirectory, MachineFacts facts) {
        Faults faults = new Faults(fileName);
        Optional<Declaration> declaration = Optional.empty();
        try {
            String text = SourceText.decode(bytes);
            Node root = json(fileName, text) ? JsonTree.read(text, faults) : YamlTree.read(text, faults);
            declaration = document(root, new ModuleReader(faults, facts, baseDirectory), faults, facts);
        } catch (Unreadable e) {
            faults.add(e.place(), e.sentence());
        }
        return new Reading(faults.refused() ? Optional.empty() : declaration, faults.all());
    }

    private static boolean json(String fileName, String text) {
        String name = fileName.toLowerCase(Locale.ROOT);
        if (name.endsWith(".json")) {
            return true;
        }
        if (name.endsWith(".yaml") || name.endsWith(".yml")) {
            return false;
        }
        String start = text.stripLeading();
        return start.startsWith("{") || start.startsWith("[");
    }

    private static Optional<Declaration> document(Node root, ModuleReader reader, Faults faults, MachineFacts facts) {
        if (!(root instanceof Node.Mapping mapping)) {
            reader.checker().fits(root, Table.WHOLE, "the declaration");
            return Optional.empty();
        }
        Optional<Declaration> declaration;
        if (manifest(mapping)) {
            Declaration.Module module = reader.module(root);
            declaration = Optional.of(new Declaration(facts.node(), OptionalLong.empty(), false, List.of(module)));
        } else {
            declaration = whole(mapping, reader, faults, facts);
        }
        reader.finish();
        return declaration;
    }

    /** What names modules is a whole declaration, whatever else it says; else a manifest's own words make a manifest. */
    private static boolean manifest(Node.Mapping mapping) {
        return !mapping.entries().containsKey("modules")
                && Table.MODULE.names().stream().anyMatch(mapping.entries()::containsKey);
    }

    private static Optional<Declaration> whole(
            Node.Mapping mapping, ModuleReader reader, Faults faults, MachineFacts facts) {
        Optional<Fields> read = reader.checker().struct(mapping, Table.WHOLE, "the declaration");
        if (read.isEmpty()) {
            return Optional.empty();
        }
        Fields fields = read.get();
        fields.scalar("node")
                .filter(node -> !node.text().equals(facts.node()))
                .ifPresent(node -> faults.add(
                        node.place(),
                        "the declaration is for the node " + Words.quoted(node.text()) + ", and this machine is "
                                + Words.quoted(facts.node()) + "; apply it there, or correct node"));
        OptionalLong serial = fields.node("serial")
                .flatMap(Checker::number)
                .map(number -> OptionalLong.of(number.longValue()))
                .orElse(OptionalLong.empty());
        List<Declaration.Module> modules = new ArrayList<>();
        for (Node item : fields.items("modules")) {
            modules.add(reader.module(item));
        }
        return Optional.of(new Declaration(facts.node(), serial, true, List.copyOf(modules)));
    }
}
