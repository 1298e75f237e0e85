package io.meshhost.apply;

import java.nio.file.Path;
import java.util.List;

/**
 * One effect that a plan has decided on, as plain data. Each kind has its own records of it; {@code apply}
 * carries out exactly these and {@code plan} prints their sentences, so that the two cannot differ.
 */
public interface Step {
    /** What it does, in words, without a secret: "write 120 bytes", "restart web.service". */
    String sentence();

    /** Real paths that are gone once it is done: what held only these is empty then. */
    default List<Path> removes() {
        return List.of();
    }

    /** Whether the path is free afterwards, though what stood there may have gone to another name. */
    default boolean clears(Path path) {
        return removes().contains(path);
    }
}
