package io.meshhost.converge;

import io.meshhost.declaration.Fault;
import java.util.List;

/** Sentences that more than one place says. */
public final class Sentences {
    private Sentences() {}

    /** That a declaration is refused, for how many faults. */
    public static String refused(String file, List<Fault> faults) {
        long count = faults.stream().filter(fault -> !fault.warning()).count();
        return "cannot apply " + file + ": it has " + count + (count == 1 ? " fault" : " faults")
                + "; nothing was touched, see nox-mesh-host validate";
    }
}
