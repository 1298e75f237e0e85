package io.meshhost.declaration;

import io.meshhost.declaration.Shape.Field;
import io.meshhost.declaration.Shape.Struct;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Holds values against the {@link Table}: everything that the JSON Schema can say, and nothing more. */
final class Checker {
    /** What every reader of YAML and JSON writes as it stands: no leading zero, sign +, exponent or underscore. */
    private static final Pattern PLAIN_NUMBER = Pattern.compile("-?(0|[1-9][0-9]{0,18})(\\.[0-9]{1,17})?");

    private final Faults faults;
    private final Nearest nearest;

    Checker(Faults faults, Nearest nearest) {
        this.faults = faults;
        this.nearest = nearest;
    }

    /** The fields of an object of this struct; empty where it is no object. A field that does not fit is left out. */
    Optional<Fields> struct(Node node, Struct struct, String name) {
        if (!(node instanceof Node.Mapping mapping)) {
            refuse(node, struct, name);
            return Optional.empty();
        }
        Set<String> unfit = new HashSet<>();
        for (Map.Entry<String, Node.Entry> entry : mapping.entries().entrySet()) {
            if (!known(entry.getKey(), entry.getValue(), struct)) {
                unfit.add(entry.getKey());
            }
        }
        for (Field field : struct.fields()) {
            if (field.required() && !mapping.entries().containsKey(field.name())) {
                faults.add(
                        node.place(),
                        field.name() + " is missing; add it: " + field.shape().want());
            }
        }
        struct.rules().forEach(rule -> Rules.hold(rule, mapping, faults));
        return Optional.of(new Fields(mapping, unfit));
    }

    private boolean known(String name, Node.Entry entry, Struct struct) {
        for (Field field : struct.fields()) {
            if (field.name().equals(name)) {
                return fits(entry.value(), field.shape(), name);
            }
        }
        String hint = nearest.to(name, struct.names())
                .map(meant -> "; did you mean " + meant + "?")
                .orElse("");
        faults.add(entry.key(), Words.quoted(name) + " is not a field of " + struct.called() + hint);
        return false;
    }

    /** Whether the value has the shape; where it has not, that is said. */
    boolean fits(Node node, Shape shape, String name) {
        return switch (shape) {
            case Shape.Text text -> text(node, text, name);
            case Shape.Choice choice -> choice(node, choice, name);
            case Shape.Flag flag -> plainFlag(node) || refuse(node, flag, name);
            case Shape.Whole whole -> whole(node, whole, name);
            case Shape.Decimal decimal -> decimal(node, decimal, name);
            case Shape.Word word -> word(node, word, name);
            case Shape.ListOf list -> list(node, list, name);
            case Shape.MapOf map -> map(node, map, name);
            case Shape.Either either -> fits(node, chosen(node, either), name, either);
            case Struct struct -> fits(node, struct, name, struct);
            // Its readers check each resource by its type; here it is only an object.
            case Shape.ByType byType -> node instanceof Node.Mapping || refuse(node, byType, name);
        };
    }

    /** As JSON writes it: YAML's True and TRUE are text to some readers. */
    private static boolean plainFlag(Node node) {
        return node instanceof Node.Scalar scalar
                && scalar.kind() == Node.Kind.FLAG
                && (scalar.text().equals("true") || scalar.text().equals("false"));
    }

    private boolean fits(Node node, Shape chosen, String name, Shape told) {
        if (chosen instanceof Struct struct) {
            if (!(node instanceof Node.Mapping)) {
                return refuse(node, told, name);
            }
            int before = faults.count();
            struct(node, struct, name);
            return faults.count() == before;
        }
        return fits(node, chosen, name);
    }

    /** The second is taken for what only it can be: an object, a list, a number. */
    private static Shape chosen(Node node, Shape.Either either) {
        boolean second = switch (either.second()) {
            case Struct _ -> node instanceof Node.Mapping;
            case Shape.ListOf _ -> node instanceof Node.Listing;
            case Shape.Whole _ -> node instanceof Node.Scalar scalar && scalar.kind() == Node.Kind.NUMBER;
            case Shape _ -> false;
        };
        return second ? either.second() : either.first();
    }

    private boolean text(Node node, Shape.Text text, String name) {
        if (!(node instanceof Node.Scalar scalar)) {
            return refuse(node, text, name);
        }
        boolean bareOctal = text.bareOctal() && scalar.kind() == Node.Kind.NUMBER && scalar.bare();
        if (scalar.kind() != Node.Kind.TEXT && !bareOctal) {
            return refuse(node, text, name);
        }
        if (!text.nul() && scalar.text().indexOf('\0') >= 0) {
            faults.add(node.place(), name + " holds a NUL byte, which nothing on the machine can; remove it");
            return false;
        }
        if (scalar.text().length() > text.longest()) {
            faults.add(node.place(), name + " is longer than " + text.longest() + " characters");
            return false;
        }
        if (!text.body().matcher(scalar.text()).matches()) {
            String found = scalar.text().isEmpty() ? " is empty" : " is " + Words.quoted(scalar.text());
            faults.add(node.place(), name + found + "; write " + text.want());
            return false;
        }
        return true;
    }

    private boolean choice(Node node, Shape.Choice choice, String name) {
        if (node instanceof Node.Scalar scalar && scalar.kind() == Node.Kind.TEXT) {
            if (choice.words().contains(scalar.text())) {
                return true;
            }
            faults.add(node.place(), name + " is " + Words.quoted(scalar.text()) + "; write " + choice.want());
            return false;
        }
        return refuse(node, choice, name);
    }

    private boolean whole(Node node, Shape.Whole whole, String name) {
        Optional<BigDecimal> number = number(node);
        if (number.isEmpty() || number.get().stripTrailingZeros().scale() > 0) {
            return refuseNumber(node, whole, name);
        }
        boolean inside = number.get().compareTo(BigDecimal.valueOf(whole.least())) >= 0
                && number.get().compareTo(BigDecimal.valueOf(whole.most())) <= 0;
        if (!inside) {
            faults.add(node.place(), name + " is " + number.get().toPlainString() + "; write " + whole.want());
        }
        return inside;
    }

    private boolean decimal(Node node, Shape.Decimal decimal, String name) {
        Optional<BigDecimal> number = number(node);
        boolean above = number.isPresent() && number.get().signum() > 0;
        return above || refuseNumber(node, decimal, name);
    }

    static Optional<BigDecimal> number(Node node) {
        return node instanceof Node.Scalar scalar
                        && scalar.kind() == Node.Kind.NUMBER
                        && PLAIN_NUMBER.matcher(scalar.text()).matches()
                ? Optional.of(new BigDecimal(scalar.text()))
                : Optional.empty();
    }

    private boolean word(Node node, Shape.Word word, String name) {
        if (!(node instanceof Node.Scalar scalar)) {
            return refuse(node, word, name);
        }
        boolean asWritten = switch (scalar.kind()) {
            case TEXT -> true;
            case NUMBER -> number(scalar).isPresent();
            case FLAG -> plainFlag(scalar);
            case NOTHING, LOOSE -> false;
        };
        if (asWritten && scalar.text().indexOf('\0') >= 0) {
            faults.add(node.place(), name + " holds a NUL byte, which no process can be given; remove it");
            return false;
        }
        if (asWritten && Words.bytes(scalar.text()) > word.longest()) {
            faults.add(node.place(), name + " is longer than " + word.longest() + Words.UNTAKEN);
            return false;
        }
        return asWritten || refuse(node, word, name);
    }

    private boolean list(Node node, Shape.ListOf list, String name) {
        if (!(node instanceof Node.Listing listing)) {
            return refuse(node, list, name);
        }
        if (listing.items().size() < list.least()) {
            faults.add(node.place(), name + " is an empty list; write " + list.want());
            return false;
        }
        if (list.command()
                && listing.items().getFirst() instanceof Node.Scalar word
                && word.text().isEmpty()) {
            faults.add(word.place(), name + " begins with an empty word; write the command");
            return false;
        }
        // Manifests, artifacts and resources are held against the table by their own readers, one after the other.
        if (list.item() instanceof Struct || list.item() instanceof Shape.ByType) {
            return true;
        }
        boolean all = true;
        for (Node item : listing.items()) {
            all &= fits(item, list.item(), name);
        }
        return all;
    }

    private boolean map(Node node, Shape.MapOf map, String name) {
        if (!(node instanceof Node.Mapping mapping)) {
            return refuse(node, map, name);
        }
        boolean all = true;
        for (Map.Entry<String, Node.Entry> entry : mapping.entries().entrySet()) {
            String key = entry.getKey();
            if (key.length() > map.key().longest()
                    || !map.key().body().matcher(key).matches()) {
                faults.add(
                        entry.getValue().key(),
                        Words.quoted(key) + " is not a name for " + name + "; write "
                                + map.key().want());
                all = false;
            }
            all &= fits(entry.getValue().value(), map.value(), Words.quoted(key));
        }
        return all;
    }

    /** As {@link #refuse}, and shows the number: no secret stands where a number is wanted. */
    private boolean refuseNumber(Node node, Shape shape, String name) {
        if (node instanceof Node.Scalar scalar && scalar.kind() == Node.Kind.NUMBER) {
            faults.add(node.place(), name + " is " + Words.quoted(scalar.text()) + "; write " + shape.want());
            return false;
        }
        return refuse(node, shape, name);
    }

    /** Always false. What is wanted is said; of the value, only what kind it is: it may be a secret. */
    private boolean refuse(Node node, Shape shape, String name) {
        if (!(node instanceof Node.Broken)) {
            faults.add(node.place(), name + " is " + Node.found(node, shape) + "; write " + shape.want());
        }
        return false;
    }
}
