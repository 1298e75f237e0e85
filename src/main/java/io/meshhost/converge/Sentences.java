package io.meshhost.converge;

import io.meshhost.apply.Action;
import io.meshhost.declaration.Fault;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Sentences that more than one place says. */
public final class Sentences {
    private Sentences() {}

    /** That a declaration is refused, for how many faults. */
    public static String refused(String file, List<Fault> faults) {
        long count = faults.stream().filter(fault -> !fault.warning()).count();
        return "cannot apply " + file + ": it has " + count + (count == 1 ? " fault" : " faults")
                + "; nothing was touched, see nox-mesh-host validate " + file;
    }

    /** {@code 1 created, 3 unchanged}, in the order of {@link Action}. */
    public static String summary(Map<String, Integer> counts) {
        String text = Arrays.stream(Action.values())
                .map(Action::word)
                .filter(word -> counts.getOrDefault(word, 0) > 0)
                .map(word -> counts.get(word) + " " + word)
                .collect(Collectors.joining(", "));
        return text.isEmpty() ? "nothing is declared" : text;
    }

    /** {@code 10m}, or {@code 90s} where it is not whole minutes. */
    static String interval(Duration cadence) {
        return cadence.toSecondsPart() == 0 ? cadence.toMinutes() + "m" : cadence.toSeconds() + "s";
    }
}
