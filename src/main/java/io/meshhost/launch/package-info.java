/**
 * The supervisor: which version of the host runs, what its end means, and what happens next (SPEC 1).
 *
 * <p>It may use {@code machine} alone. It starts without Quarkus, HTTP and the database, since it must be up before all
 * of them and outlive each: what decides is pure ({@link io.meshhost.launch.LifeCycle}, {@link
 * io.meshhost.launch.Choosing}), and one thread carries it out.
 */
@NullMarked
package io.meshhost.launch;

import org.jspecify.annotations.NullMarked;
