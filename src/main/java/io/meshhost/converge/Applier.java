package io.meshhost.converge;

import io.meshhost.apply.Options;
import io.meshhost.apply.Report;
import io.meshhost.apply.Run;
import io.meshhost.declaration.Declaration;

/** Applies a declaration once; the engine, but for tests. */
@FunctionalInterface
public interface Applier {
    Report apply(Declaration declaration, Options options, Run run);
}
