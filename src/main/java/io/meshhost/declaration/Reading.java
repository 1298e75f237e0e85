package io.meshhost.declaration;

import java.util.List;
import java.util.Optional;

/**
 * What came of reading a declaration.
 *
 * @param declaration present if and only if every fault is a warning
 * @param faults all of them at once, in the order of the document
 */
public record Reading(Optional<Declaration> declaration, List<Fault> faults) {}
