package io.meshhost.declaration;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** The fields of an object that have their shape; what has not was said, and is as if it were not there. */
final class Fields {
    private final Node.Mapping mapping;
    private final Set<String> unfit;

    Fields(Node.Mapping mapping, Set<String> unfit) {
        this.mapping = mapping;
        this.unfit = unfit;
    }

    Place place() {
        return mapping.place();
    }

    boolean has(String name) {
        return node(name).isPresent();
    }

    Optional<Node> node(String name) {
        Node.Entry entry = mapping.entries().get(name);
        return entry == null || unfit.contains(name) ? Optional.empty() : Optional.of(entry.value());
    }

    Optional<Node.Scalar> scalar(String name) {
        return node(name).flatMap(node -> node instanceof Node.Scalar scalar ? Optional.of(scalar) : Optional.empty());
    }

    /** Text, or a number or boolean as it is written. */
    Optional<String> text(String name) {
        return scalar(name).map(Node.Scalar::text);
    }

    Optional<Boolean> flag(String name) {
        return text(name).map("true"::equals);
    }

    OptionalInt whole(String name) {
        return node(name)
                .flatMap(Checker::number)
                .map(number -> OptionalInt.of(number.intValue()))
                .orElse(OptionalInt.empty());
    }

    /** The items of a list; one value alone is a list of one. */
    List<Node> items(String name) {
        Optional<Node> node = node(name);
        if (node.isEmpty()) {
            return List.of();
        }
        return node.get() instanceof Node.Listing listing ? listing.items() : List.of(node.get());
    }

    List<Node.Scalar> scalars(String name) {
        return items(name).stream()
                .filter(Node.Scalar.class::isInstance)
                .map(Node.Scalar.class::cast)
                .toList();
    }

    List<String> texts(String name) {
        return scalars(name).stream().map(Node.Scalar::text).toList();
    }

    Map<String, Node.Entry> entries(String name) {
        return node(name)
                .flatMap(node -> node instanceof Node.Mapping inner ? Optional.of(inner.entries()) : Optional.empty())
                .orElse(Map.of());
    }

    /** An object in this one, of which every field fits. */
    Optional<Fields> inner(String name) {
        return node(name)
                .flatMap(node -> node instanceof Node.Mapping inner
                        ? Optional.of(new Fields(inner, Set.of()))
                        : Optional.empty());
    }
}
