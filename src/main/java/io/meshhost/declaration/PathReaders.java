package io.meshhost.declaration;

import io.meshhost.declaration.Resource.ArchiveResource;
import io.meshhost.declaration.Resource.Content;
import io.meshhost.declaration.Resource.DirectoryResource;
import io.meshhost.declaration.Resource.FileResource;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Reads what owns a path: {@code file}, {@code directory}, {@code archive}. What is not right is said, and something
 * harmless stands in for it: with a fault there is no declaration for it to be in.
 */
final class PathReaders {
    private static final Path ROOT = Path.of("/");

    private PathReaders() {}

    static Resource file(Head head, Fields fields, Scope scope) {
        return new FileResource(
                head,
                owned(head, fields, scope, false),
                Values.mode(fields),
                fields.text("owner"),
                fields.text("group"),
                fields.flag("secret").orElse(false),
                content(fields, scope));
    }

    private static Content content(Fields fields, Scope scope) {
        Optional<String> literal = fields.text("content");
        if (literal.isPresent()) {
            return new Content.Text(literal.get());
        }
        if (fields.has("template")) {
            return new Content.Text(scope.replaced(fields, "template").orElse(""));
        }
        return new Content.Fetched(Sources.published(fields, scope));
    }

    static Resource directory(Head head, Fields fields, Scope scope) {
        return new DirectoryResource(
                head,
                owned(head, fields, scope, true),
                Values.mode(fields),
                fields.text("owner"),
                fields.text("group"));
    }

    static Resource archive(Head head, Fields fields, Scope scope) {
        return new ArchiveResource(
                head, owned(head, fields, scope, false), fields.whole("strip").orElse(0), Sources.of(fields, scope));
    }

    private static Path owned(Head head, Fields fields, Scope scope, boolean rootToo) {
        Optional<Path> path = Values.path(fields, "path", scope);
        if (path.isEmpty()) {
            return ROOT;
        }
        Place place = fields.node("path").map(Node::place).orElse(fields.place());
        if (path.get().equals(ROOT) && !rootToo) {
            scope.faults()
                    .add(place, "path is / itself, which can only be a directory; write the path of a thing in it");
        }
        scope.claims().claim("path", path.get().toString(), head.id(), place);
        return path.get();
    }
}
