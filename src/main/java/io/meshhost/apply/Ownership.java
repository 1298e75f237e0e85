package io.meshhost.apply;

import io.meshhost.machine.Accounts;
import io.meshhost.machine.Files.Attributes;
import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.Stat;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Mode, owner and group as declared; what is not declared is kept.
 *
 * @param owner name or number
 */
record Ownership(OptionalInt mode, Optional<String> owner, Optional<String> group) {

    /** As numbers, for writing; an account that another resource makes is there by then. */
    Attributes attributes(Accounts accounts, OptionalInt modeOfNew) {
        OptionalInt bits = mode.isPresent() ? mode : modeOfNew;
        if (!accounts.root()) {
            return new Attributes(bits, OptionalInt.empty(), OptionalInt.empty());
        }
        return new Attributes(
                bits,
                owner.map(name -> known(accounts.uid(name), "user", name)).orElse(OptionalInt.empty()),
                group.map(name -> known(accounts.gid(name), "group", name)).orElse(OptionalInt.empty()));
    }

    private static OptionalInt known(OptionalInt number, String what, String name) {
        if (number.isEmpty()) {
            throw new MachineFailure("cannot give a file to the " + what + " " + name + ": there is none of that name;"
                    + " declare a user resource and name it in after");
        }
        return number;
    }

    /** What differs, in words, from what is there; an owner that does not exist yet differs. */
    List<String> differences(Stat there, Accounts accounts) {
        List<String> differences = new ArrayList<>();
        if (mode.isPresent() && mode.getAsInt() != there.mode()) {
            differences.add("mode " + octal(there.mode()) + " -> " + octal(mode.getAsInt()));
        }
        if (accounts.root()) {
            owner.filter(name -> !accounts.uid(name).equals(OptionalInt.of(there.uid())))
                    .ifPresent(name -> differences.add("owner " + accounts.userName(there.uid()) + " -> " + name));
            group.filter(name -> !accounts.gid(name).equals(OptionalInt.of(there.gid())))
                    .ifPresent(name -> differences.add("group " + accounts.groupName(there.gid()) + " -> " + name));
        }
        return differences;
    }

    /** For the identity of what is wanted. */
    String words() {
        return (mode.isPresent() ? octal(mode.getAsInt()) : "-") + " " + owner.orElse("-") + ":" + group.orElse("-");
    }

    static String octal(int mode) {
        // By hand: a format is parsed anew at each call, and an apply asks this twice for every file.
        String digits = Integer.toOctalString(mode);
        return "0".repeat(Math.max(0, 4 - digits.length())) + digits;
    }
}
