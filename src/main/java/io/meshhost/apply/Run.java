package io.meshhost.apply;

import io.meshhost.machine.Progress;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The surroundings of one apply.
 *
 * @param why for the history: "apply", "start", "every 10m"
 * @param stopping looked at between resources: once true, the rest is left for the next apply
 * @param each told of every outcome once it is on disk, in the order of carrying out
 */
public record Run(String why, Progress progress, BooleanSupplier stopping, Consumer<Outcome> each) {
    /** Nobody watches and nobody stops it. */
    public static Run quiet(String why) {
        return new Run(why, Progress.NONE, () -> false, outcome -> {});
    }
}
