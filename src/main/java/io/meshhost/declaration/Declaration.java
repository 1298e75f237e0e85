package io.meshhost.declaration;

import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * What one machine should be, whole and without fault: names replaced, references full, paths absolute.
 *
 * @param node this machine's name
 * @param serial empty where none is given
 * @param whole true: speaks for the machine, and what it does not name is taken away; false: one manifest,
 *     speaks for its slug only
 */
public record Declaration(String node, OptionalLong serial, boolean whole, List<Module> modules) {

    public Stream<Resource> resources() {
        return modules.stream().flatMap(module -> module.resources().stream());
    }

    /** A manifest: {@code {"module", "version", "slug", "build", "resources"}}. */
    public record Module(String name, String version, String slug, List<Resource> resources) {}
}
