package io.meshhost.declaration;

import io.meshhost.declaration.Resource.ServiceResource;
import io.meshhost.declaration.Resource.UserResource;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads what the machine has by name: {@code user} and {@code service}. */
final class MachineReaders {
    private static final Pattern USER = Pattern.compile("[a-z_][a-z0-9_-]{0,31}");

    /** systemd.unit(5). */
    private static final Set<String> SUFFIXES = Set.of(
            ".service",
            ".socket",
            ".device",
            ".mount",
            ".automount",
            ".swap",
            ".target",
            ".path",
            ".timer",
            ".slice",
            ".scope");

    private static final Pattern UNIT = Pattern.compile("[A-Za-z0-9:_.\\\\@-]{1,255}");

    private MachineReaders() {}

    static Resource user(Head head, Fields fields, Scope scope) {
        Optional<String> name = scope.replaced(fields, "name");
        name.ifPresent(text -> {
            Place place = fields.node("name").map(Node::place).orElse(fields.place());
            if (!USER.matcher(text).matches()) {
                scope.faults()
                        .add(
                                place,
                                "name " + Words.quoted(text) + " is not an account's; write "
                                        + Shapes.USER_NAME.want());
            } else {
                scope.claims().claim("user", text, head.id(), place);
            }
        });
        return new UserResource(
                head,
                name.orElse(""),
                fields.whole("uid"),
                Values.path(fields, "home", scope),
                Values.path(fields, "shell", scope),
                fields.texts("groups"),
                fields.flag("system").orElse(false));
    }

    static Resource service(Head head, Fields fields, Scope scope) {
        Optional<String> unit = scope.replaced(fields, "unit").map(MachineReaders::suffixed);
        unit.ifPresent(name -> {
            Place place = fields.node("unit").map(Node::place).orElse(fields.place());
            String wrong = wrongInUnit(name);
            if (!wrong.isEmpty()) {
                scope.faults().add(place, "unit " + Words.quoted(name) + " " + wrong);
            } else {
                scope.claims().claim("unit", name, head.id(), place);
            }
        });
        return new ServiceResource(
                head, unit.orElse(""), fields.text("state").map("running"::equals), fields.flag("enabled"));
    }

    private static String suffixed(String unit) {
        int dot = unit.lastIndexOf('.');
        return dot > 0 && SUFFIXES.contains(unit.substring(dot)) ? unit : unit + ".service";
    }

    private static String wrongInUnit(String unit) {
        if (!UNIT.matcher(unit).matches() || unit.startsWith(".") || unit.startsWith("-")) {
            return "is not a unit's name; write one as \"nginx.service\"";
        }
        if (unit.contains("@.")) {
            return "is a template; write an instance of it, as " + Words.quoted(unit.replace("@.", "@1."));
        }
        return unit.equals(ProcessReader.RESERVED + ".service")
                ? "is the host itself, which its launcher starts and stops; remove the resource"
                : "";
    }
}
