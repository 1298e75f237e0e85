package io.meshhost.declaration;

import io.meshhost.declaration.Resource.Bytes;
import io.meshhost.declaration.Shape.Struct;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads one manifest after the other, and remembers what they must not say twice. */
final class ModuleReader {
    private final Faults faults;
    private final Nearest nearest;
    private final Checker checker;
    private final References references;
    private final Claims claims;
    private final MachineFacts facts;
    private final Path base;
    private final Map<String, Place> slugs = new HashMap<>();
    private final Set<String> artifactNames = new HashSet<>();

    ModuleReader(Faults faults, MachineFacts facts, Path base) {
        this.faults = faults;
        this.nearest = new Nearest();
        this.checker = new Checker(faults, nearest);
        this.references = new References(faults, nearest);
        this.claims = new Claims(faults);
        this.facts = facts;
        this.base = base;
    }

    Checker checker() {
        return checker;
    }

    Declaration.Module module(Node node) {
        Optional<Fields> read = checker.struct(node, Table.MODULE, "a manifest");
        if (read.isEmpty()) {
            return new Declaration.Module("", "", "", List.of());
        }
        Fields fields = read.get();
        Optional<String> slug = fields.text("slug");
        fields.scalar("slug").ifPresent(this::slug);
        Map<String, String> names = Scope.names(facts, fields.text("version"), slug);
        Scope scope = new Scope(faults, nearest, facts, names, base, new HashMap<>(), claims);
        fields.inner("build").ifPresent(build -> artifacts(build, scope));
        List<Resource> resources = new ArrayList<>();
        for (Node item : fields.items("resources")) {
            resource(item, slug, scope).ifPresent(resources::add);
        }
        return new Declaration.Module(
                fields.text("module").orElse(""),
                fields.text("version").orElse(""),
                slug.orElse(""),
                List.copyOf(resources));
    }

    private void slug(Node.Scalar slug) {
        Place first = slugs.putIfAbsent(slug.text(), slug.place());
        if (first != null) {
            faults.add(
                    slug.place(),
                    "the slug " + slug.text() + " is taken by the manifest at line " + first.line()
                            + "; choose another");
        }
    }

    private void artifacts(Fields build, Scope scope) {
        Map<String, Place> seen = new HashMap<>();
        for (Node item : build.items("artifacts")) {
            Optional<Fields> read = checker.struct(item, Table.ARTIFACT, "an artifact");
            Optional<Node.Scalar> name = read.flatMap(fields -> fields.scalar("name"));
            if (read.isEmpty() || name.isEmpty()) {
                continue;
            }
            Place first = seen.putIfAbsent(name.get().text(), name.get().place());
            if (first != null) {
                faults.add(
                        name.get().place(),
                        "the artifact " + Words.quoted(name.get().text()) + " is named at line " + first.line()
                                + " already; choose another name");
            }
            Fields fields = read.get();
            Optional<Bytes> published = fields.has("source") || fields.has("digest")
                    ? Optional.of(Sources.published(fields, scope))
                    : Optional.empty();
            scope.artifacts().put(name.get().text(), new Scope.Artifact(fields.text("system"), published));
            artifactNames.add(name.get().text());
        }
    }

    private Optional<Resource> resource(Node node, Optional<String> slug, Scope scope) {
        if (!(node instanceof Node.Mapping mapping)) {
            checker.fits(node, new Shape.ByType(Table.RESOURCES), "a resource");
            return Optional.empty();
        }
        Optional<Struct> struct = type(mapping);
        if (struct.isEmpty()) {
            untyped(mapping, slug);
            return Optional.empty();
        }
        Fields fields = checker.struct(node, struct.get(), struct.get().name()).orElseThrow();
        Head head = head(fields, slug);
        return Optional.of(
                switch (struct.get().name()) {
                    case "file" -> PathReaders.file(head, fields, scope);
                    case "directory" -> PathReaders.directory(head, fields, scope);
                    case "archive" -> PathReaders.archive(head, fields, scope);
                    case "user" -> MachineReaders.user(head, fields, scope);
                    case "service" -> MachineReaders.service(head, fields, scope);
                    case "process" -> ProcessReader.process(head, fields, scope);
                    default ->
                        throw new IllegalStateException(
                                "no reader for the type " + struct.get().name());
                });
    }

    private Head head(Fields fields, Optional<String> slug) {
        Optional<Node.Scalar> id = fields.scalar("id");
        // Without a name of its own it takes one that no reference can name, so that its other faults are still found.
        String full = slug.orElse("") + "/"
                + id.map(Node.Scalar::text).orElse("?" + fields.place().pointer());
        id.ifPresent(scalar -> references.resource(full, scalar.place()));
        return new Head(full, references.full(full, fields, "after"), references.full(full, fields, "restart_on"));
    }

    /** What cannot be read for want of a type still has its id, so that references to it are no faults of their own. */
    private void untyped(Node.Mapping mapping, Optional<String> slug) {
        Node.Entry id = mapping.entries().get("id");
        if (id != null && id.value() instanceof Node.Scalar scalar) {
            references.resource(slug.orElse("") + "/" + scalar.text(), scalar.place());
        }
    }

    private Optional<Struct> type(Node.Mapping mapping) {
        List<String> known = Table.RESOURCES.stream().map(Struct::name).toList();
        Node.Entry type = mapping.entries().get("type");
        if (type == null) {
            faults.add(mapping.place(), "type is missing; add it: " + Words.or(known));
            return Optional.empty();
        }
        if (!(type.value() instanceof Node.Scalar scalar) || scalar.kind() != Node.Kind.TEXT) {
            checker.fits(type.value(), new Shape.Choice(known), "type");
            return Optional.empty();
        }
        int index = known.indexOf(scalar.text());
        if (index >= 0) {
            return Optional.of(Table.RESOURCES.get(index));
        }
        String found = "type " + Words.quoted(scalar.text());
        faults.add(
                scalar.place(),
                Table.LATER.contains(scalar.text())
                        ? found + " is not supported by this version; it knows " + Words.or(known)
                        : found + " is not known; did you mean "
                                + nearest.to(scalar.text(), known).orElse(Words.or(known)) + "?");
        return Optional.empty();
    }

    /** Asked once every manifest is read. */
    void finish() {
        references.check();
        for (String given : facts.artifacts().keySet()) {
            if (!artifactNames.contains(given)) {
                String hint = nearest.to(given, artifactNames)
                        .map(meant -> "; did you mean " + meant + "?")
                        .orElse("");
                faults.add(Place.root(1, 1), "--artifact " + given + " names no entry of build.artifacts" + hint);
            }
        }
    }
}
