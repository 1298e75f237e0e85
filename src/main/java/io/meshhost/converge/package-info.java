/**
 * The loops: scheduler beans mark a gate, and the gate does the work, once at a time.
 *
 * <p>It may use {@code apply} and the rooms below it. It never listens on anything.
 */
@NullMarked
package io.meshhost.converge;

import org.jspecify.annotations.NullMarked;
