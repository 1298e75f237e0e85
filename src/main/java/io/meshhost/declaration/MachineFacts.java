package io.meshhost.declaration;

import java.nio.file.Path;
import java.util.Map;

/**
 * What must be known of the machine to read a declaration for it.
 *
 * @param node its name, replaces {@code ${node}}
 * @param system os-release's {@code ID}, replaces {@code ${system}}; decides which artifacts are for this machine
 * @param artifacts files given by name on the command line ({@code --artifact NAME=PATH}), absolute
 */
public record MachineFacts(String node, String system, Map<String, Path> artifacts) {}
