/**
 * Inspect, plan, carry out, undeclare. {@link io.meshhost.apply.Kind} is the seam: one file per kind.
 *
 * <p>It may use {@code declaration}, {@code record}, {@code bundle} and {@code machine}. Plans are
 * pure functions over records; effects go through {@code machine} only.
 */
@NullMarked
package io.meshhost.apply;

import org.jspecify.annotations.NullMarked;
