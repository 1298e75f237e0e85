package io.meshhost.apply;

import io.meshhost.machine.ExpectedFailure;
import java.util.List;

/**
 * What a change would change, line by line, without secrets and bounded.
 *
 * <p>Made each time it is asked for: only a plan is shown to people, and an apply of ten thousand files must neither
 * read them for it nor hold it.
 */
@FunctionalInterface
public interface Diff {
    /** Nothing to show. */
    Diff NONE = List::of;

    /** Lines of a unified diff or of names and sizes. */
    List<String> lines();

    /** One that looks at the machine when it is asked: what cannot be looked at by then is said in its place. */
    static Diff looking(Diff how) {
        return () -> {
            try {
                return how.lines();
            } catch (ExpectedFailure failure) {
                return List.of("(cannot be shown: " + failure.sentence() + ")");
            }
        };
    }
}
