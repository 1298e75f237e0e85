package io.meshhost.declaration;

import java.util.HashMap;
import java.util.Map;

/** Who owns what on the machine: two resources that each keep one path their own way would undo each other for ever. */
final class Claims {
    private record Claim(String id, Place place) {}

    private final Faults faults;
    private final Map<String, Claim> claims = new HashMap<>();

    Claims(Faults faults) {
        this.faults = faults;
    }

    /**
     * False where another has it, which is then said.
     *
     * @param family what kind of name it is: "path", "unit" or "user"
     * @param target the name, in one spelling
     * @param id full id of the resource
     * @param place where the name stands
     */
    boolean claim(String family, String target, String id, Place place) {
        Claim first = claims.putIfAbsent(family + ' ' + target, new Claim(id, place));
        if (first == null) {
            return true;
        }
        faults.add(
                place,
                "the " + family + " " + target + " belongs to " + first.id() + " (line "
                        + first.place().line() + ") already, and " + id + " (line " + place.line()
                        + ") claims it too; remove one of them");
        return false;
    }
}
